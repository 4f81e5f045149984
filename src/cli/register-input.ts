import { StaffError } from '../core/staff-error.ts'
import type { World } from '../database/open.ts'
import { findKnownStream, type Stream } from '../registers/index.ts'

export function repeated(value: string, values: string[] = []): string[] {
  return [...values, value]
}

export async function requireStream(world: World, key: string): Promise<Stream> {
  const stream = await findKnownStream(world, key)
  if (stream === undefined) throw new StaffError(`Unknown stream "${key}". "register list" lists all.`)
  return stream
}
