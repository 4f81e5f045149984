import { describedStream } from '../described/described-stream.ts'
import type { Stream } from '../stream.ts'
import { brazilBrands } from './brazil/brazil-brands.ts'
import { czechiaBlocklist } from './czechia/czechia-blocklist.ts'
import { denmarkOperators } from './denmark/denmark-operators.ts'
import { hostListStreams } from './host-list/lists.ts'
import { italyBlocklist } from './italy/italy-blocklist.ts'
import { mgaLicensees } from './malta/mga-licensees.ts'
import { marketDescriptions } from './markets/index.ts'
import { polandBlocklist } from './poland/poland-blocklist.ts'
import { ukgcLicences } from './ukgc/ukgc-licences.ts'
import { ukraineSites } from './ukraine/ukraine-sites.ts'

export const streams: readonly Stream[] = [
  brazilBrands,
  czechiaBlocklist,
  denmarkOperators,
  italyBlocklist,
  mgaLicensees,
  polandBlocklist,
  ukgcLicences,
  ukraineSites,
  ...hostListStreams,
  ...marketDescriptions.map(describedStream),
].toSorted((one, other) => (one.key < other.key ? -1 : 1))

export function findStream(key: string): Stream | undefined {
  return streams.find(stream => stream.key === key)
}
