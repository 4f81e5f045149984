import { fileURLToPath } from 'node:url'

/** The folder of the demo world's files, with a separator at the end. */
export const demoDirectory = fileURLToPath(new URL('../../demo/', import.meta.url))
