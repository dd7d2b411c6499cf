export const fact = (end: string | undefined) =>
  end === undefined ? 'nobody is notified' : `quiet until ${end}, nobody is notified`;
export const spoken = (name: string, end: string | undefined) =>
  ` Kept quiet by ${name}${end === undefined ? '' : ` until ${end}`}.`;
