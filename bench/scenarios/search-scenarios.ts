import { companyNameOf } from '../data/names.ts'
import { domainOf, jurisdictions, type Sizes } from '../data/sizes.ts'
import type { Target } from '../harness/load.ts'
import { type Scenario, scenario } from './scenarios.ts'

/** The required load, that of a sales team. */
const connections = 16
const searchesMax = 1_000
const step = 7_577

const numbers = (most: number): number[] =>
  Array.from({ length: Math.min(searchesMax, most) }, (_, index) => 1 + ((index * step) % most))

const jurisdictionOf = (company: number) => jurisdictions[(company - 1) % jurisdictions.length] as string
const roleOf = (company: number) =>
  ['operator', 'operator', 'operator', 'game_studio', 'payment_provider'][company % 5] as string

const search = (parameters: Record<string, string>) =>
  `/v1/companies/search?${new URLSearchParams({ ...parameters, page_size: '20' })}`

/**
 * Searches the first word of a name, which some hundred Companies share. A few of them match both filters.
 */
const textPath = (company: number) =>
  search({
    q: companyNameOf(company).split(' ')[0] as string,
    role: roleOf(company),
    jurisdiction: jurisdictionOf(company),
  })

const filterPaths = jurisdictions.map(jurisdiction => search({ jurisdiction }))

const resolvePath = (company: number): string => {
  const name = companyNameOf(company)
  const resolve = (parameters: Record<string, string>) =>
    `/v1/companies/resolve?${new URLSearchParams(parameters)}`
  switch (company % 5) {
    case 0:
      return resolve({ company_ref: `co_bench${company}` })
    case 1:
      return resolve({ name })
    case 2:
      return resolve({ legal_entity: `${name} Limited` })
    case 3:
      return resolve({ license_number: `B-${company}` })
    default:
      // License n of Company n authorises domain 4n.
      return resolve({ domain: domainOf(company * 4) })
  }
}

export function searchScenarios(sizes: Sizes, apiUrl: string, byHandUrl: string, keys: string[]): Scenario[] {
  const companies = numbers(Math.min(sizes.companies, Math.floor(sizes.domains / 4)))
  const target = (url: string, paths: string[]): Target => ({ url, paths, keys, connections })
  const texts = companies.map(textPath)
  const byHand = 'hand-written, unmetered, the same rows and total'
  return [
    scenario(
      'company_search_text',
      'companies/search, text and two filters, 16 connections',
      target(apiUrl, texts),
    ),
    scenario('company_search_text_by_hand', byHand, target(byHandUrl, texts)),
    scenario(
      'company_search_filter',
      'companies/search, one filter, 16 connections',
      target(apiUrl, filterPaths),
    ),
    scenario('company_search_filter_by_hand', byHand, target(byHandUrl, filterPaths)),
    scenario(
      'preview_unfiltered',
      'companies/search/preview, unfiltered, asked again',
      target(apiUrl, ['/v1/companies/search/preview']),
    ),
    scenario(
      'company_resolve',
      'companies/resolve, any identifier, 16 connections',
      target(apiUrl, companies.map(resolvePath)),
    ),
  ]
}

const coldAsked = 50

export async function coldPreview(
  apiUrl: string,
  key: string,
  changeData: () => Promise<void>,
): Promise<{ p50Ms: number; p99Ms: number }> {
  const taken: number[] = []
  for (let asked = 0; asked < coldAsked; asked += 1) {
    await changeData()
    const start = performance.now()
    const response = await fetch(`${apiUrl}/v1/companies/search/preview`, { headers: { 'x-api-key': key } })
    await response.text()
    if (!response.ok) throw new Error(`the preview answered ${response.status}`)
    taken.push(performance.now() - start)
  }
  const sorted = taken.toSorted((a, b) => a - b)
  return { p50Ms: sorted[Math.floor(coldAsked / 2)] as number, p99Ms: sorted.at(-1) as number }
}
