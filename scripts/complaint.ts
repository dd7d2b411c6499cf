import { StartError } from '#backend/platform/logger/start-error.ts';

/** A reason to stop a command, as one sentence for the person who ran it. Shown without a stack. */
export class Complaint extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'Complaint';
  }
}

/** Runs a command; a {@link Complaint} or {@link StartError} is printed as its one sentence and ends it with exit code 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof Complaint || error instanceof StartError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
