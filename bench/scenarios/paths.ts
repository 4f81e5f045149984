import { historyDays, historyStart } from '../data/generate-history-store.ts'
import { domainOf, regulators, type Sizes } from '../data/sizes.ts'

const pathsMax = 2_000
const step = 7_577
const pastStep = 409
const knownStep = 631

export function verdictPaths(sizes: Sizes): string[] {
  const count = Math.min(pathsMax, sizes.domains)
  return Array.from({ length: count }, (_, index) => {
    const number = 1 + ((index * step) % sizes.domains)
    return `/v1/domains/resolve?domain=${domainOf(number)}`
  })
}

const pastPathsMax = 64_000
const dayMs = 86_400_000

/** Returns verdicts of random days, as known on other random days, of domains all over the table. */
export function pastPaths(sizes: Sizes): string[] {
  const start = Date.parse(historyStart)
  const dayAt = (number: number) =>
    new Date(start + (number % historyDays) * dayMs).toISOString().slice(0, 10)
  return Array.from({ length: Math.min(pastPathsMax, sizes.domains) }, (_, index) => {
    const domain = domainOf(1 + ((index * step) % sizes.domains))
    const days = `as_of=${dayAt(index * pastStep)}&known_at=${dayAt(1 + index * knownStep)}`
    return `/v1/domains/resolve?domain=${domain}&${days}`
  })
}

export const batchPath = '/v1/domains/resolve'
export const batchSize = 1_000
const batchesMax = 200

/** Returns the bodies of batches whose domains are all stored. */
export function verdictBatches(sizes: Sizes): string[] {
  const count = Math.max(1, Math.min(batchesMax, Math.floor(sizes.domains / batchSize)))
  return Array.from({ length: count }, (_, batch) => {
    const domains = Array.from({ length: batchSize }, (_, index) =>
      domainOf(1 + (((batch * batchSize + index) * step) % sizes.domains)),
    )
    return JSON.stringify({ domains })
  })
}

const cursorsMax = 40
const perHop = 1_000

type Page = { data: { domains: unknown[]; next_cursor: string | null } }

async function pageOf(url: string, path: string, key: string): Promise<Page> {
  const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Page
}

/** Returns searches at depths from the first to the last row. It finds them in large steps. */
export async function searchPaths(
  url: string,
  key: string,
): Promise<{ hundred: string[]; thousand: string[] }> {
  const searches = [
    'verdict=blocklisted',
    `verdict=blocklisted&geo=${regulators[0]}`,
    'verdict=licensed',
    'verdict=mixed',
  ]
  const hundred: string[] = []
  const thousand: string[] = []
  for (const search of searches) {
    let after = ''
    const cursors: string[] = ['']
    for (;;) {
      const page = await pageOf(url, `/v1/domains/search?${search}&per_page=${perHop}${after}`, key)
      if (page.data.next_cursor === null) break
      after = `&after=${page.data.next_cursor}`
      cursors.push(after)
    }
    const every = Math.max(1, Math.floor(cursors.length / cursorsMax))
    for (const cursor of cursors.filter((_, index) => index % every === 0)) {
      hundred.push(`/v1/domains/search?${search}&per_page=100${cursor}`)
      thousand.push(`/v1/domains/search?${search}&per_page=1000${cursor}`)
    }
  }
  return { hundred, thousand }
}
