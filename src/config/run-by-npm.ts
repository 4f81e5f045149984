/** Whether npm started this process, through a shell. */
export const isRunByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined
