/**
 * Official gambling registers: their facts, and readers of their files. The package uses no database and no
 * network.
 */

export { addRegister, type Sample } from './add-register.ts'
export { type DescriptionReading, readDescription } from './description/read-description.ts'
export type * from './stream.ts'
export { findStream, streams } from './streams.ts'
