import { Failure } from '../../core/failure.ts'
import type { UsagePosition } from './usage-page-store.ts'

export const usageIdOf = ({ at, usageId }: UsagePosition): string =>
  Buffer.from(`${usageId} ${at}`).toString('base64url')

export function positionOf(id: string): UsagePosition {
  const [, usageId, at] = /^(\d{1,18}) (\d{1,16})$/.exec(Buffer.from(id, 'base64url').toString()) ?? []
  if (usageId === undefined || at === undefined) throw new Failure('route_not_found')
  return { at, usageId }
}
