/** Bounds of POST /v1/domains/resolve; its body may have 512 KiB. */
const batchMax = 1_000
const batchBytesMax = 400_000
const inputLengthMax = 2_048
/** How far a batch is shortened so as not to divide a site. */
const shortenedMax = 100

export type Plan = {
  /** In the order of the file, with repetitions. */
  inputs: string[]
  batches: string[][]
  tooLong: Set<string>
}

/**
 * A domain or URL a line; blank lines and those that begin with # are left out. Each input is sent once,
 * and those of one site together: a batch charges a registrable domain once.
 */
export function planBatches(text: string): Plan {
  const inputs = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
  const distinct = new Set(inputs)
  const tooLong = new Set([...distinct].filter(input => input.length > inputLengthMax))
  const sent = [...distinct]
    .filter(input => !tooLong.has(input))
    .map(input => ({ input, site: siteOf(input) }))
  const whole = divide(sent)
  return { inputs, batches: whole.length < 2 ? whole : divide(sent.sort(byName)), tooLong }
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

/** The labels of the host, the last one first, so that sorting puts the hosts of a site together. */
function siteOf(input: string): string {
  const [host = ''] = input
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .split(/[/?#]/, 1)
  return host.replace(/^.*@/, '').replace(/:\d*$/, '').replace(/\.$/, '').split('.').reverse().join('.')
}
