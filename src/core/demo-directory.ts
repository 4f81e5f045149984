import { fileURLToPath } from 'node:url'

/** The files of the demo world, with the separator at the end. */
export const demoDirectory = fileURLToPath(new URL('../../demo/', import.meta.url))
