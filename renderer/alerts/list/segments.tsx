import { SegmentedControl } from '@blueprintjs/core';
import type { FilterOption } from './filter-options.ts';
import * as styles from './filter-bar.module.css';

interface SegmentsProps {
  label: string;
  options: readonly FilterOption[];
  value: string;
  onChange: (value: string) => void;
}

/** A filter or an order whose few options are buttons side by side. */
export const Segments = ({ label, options, value, onChange }: SegmentsProps) => (
  <SegmentedControl
    className={styles.segments}
    aria-label={label}
    options={[...options]}
    value={value}
    onValueChange={onChange}
  />
);
