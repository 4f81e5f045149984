/** Whether this process is that of an npm script: npm, and the shell that it runs scripts in, stand above it. */
export const isRunByNpm = (): boolean => process.env.npm_lifecycle_event !== undefined
