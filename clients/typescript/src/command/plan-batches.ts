/** Limits of POST /v1/domains/resolve, whose body may have 512 KiB. */
const batchMax = 1_000
const batchBytesMax = 400_000
/** A batch may be shortened by this many inputs, so that it does not divide a site. */
const shortenedMax = 100

/**
 * Divides distinct inputs into batches. Inputs of one site stay together, because a batch charges a
 * registrable domain once.
 */
export function planBatches(inputs: readonly string[]): string[][] {
  const sited = inputs.map(input => ({ input, site: siteOf(input) }))
  const whole = divide(sited)
  return whole.length < 2 ? whole : divide(sited.sort(byName))
}

type Sited = { input: string; site: string }

function divide(sorted: readonly Sited[]): string[][] {
  const batches: string[][] = []
  for (let from = 0; from < sorted.length; ) {
    const to = endOf(sorted, from)
    batches.push(sorted.slice(from, to).map(({ input }) => input))
    from = to
  }
  return batches
}

function endOf(sorted: readonly Sited[], from: number): number {
  let to = from
  for (let bytes = 0; to < sorted.length && to - from < batchMax; to++) {
    bytes += Buffer.byteLength(JSON.stringify(sorted[to]?.input)) + 1
    if (bytes > batchBytesMax) break
  }
  if (to === sorted.length) return to
  for (let cut = to; cut > Math.max(from, to - shortenedMax); cut--) {
    if (nearOf(sorted[cut - 1]) !== nearOf(sorted[cut])) return cut
  }
  return to
}

const nearOf = (sited: Sited | undefined): string | undefined => sited?.site.split('.', 2).join('.')

const byName = (left: Sited, right: Sited): number =>
  left.site < right.site ? -1 : left.site > right.site ? 1 : left.input < right.input ? -1 : 1

/** Returns the labels of the host in reverse order, so that sorting groups the hosts of a site. */
function siteOf(input: string): string {
  const [host = ''] = input
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .split(/[/?#]/, 1)
  return host.replace(/^.*@/, '').replace(/:\d*$/, '').replace(/\.$/, '').split('.').reverse().join('.')
}
