import type { OfficialAnswer } from '../official-answer.ts'
import { folderAnswers, folderFile } from './folder-fixture.ts'
import { folders, marketDescriptions } from './index.ts'
import { answers as switzerlandEsbk } from './switzerland-esbk.fixture.ts'

const sites = marketDescriptions
  .filter(({ key }) => folders.includes(key))
  .map(({ key, official_url, resolve }) => ({
    key,
    officialUrl: official_url,
    isSaved: resolve?.by === 'none',
  }))

/** By stream: what the official site answers, in the exact layout, for tests. */
export const marketAnswers: Readonly<Record<string, readonly OfficialAnswer[]>> = {
  'switzerland_esbk.blocklist': switzerlandEsbk,
  ...Object.fromEntries(
    sites.filter(site => !site.isSaved).map(site => [site.key, folderAnswers(site)] as const),
  ),
}

/** By stream: files that no address leads to; an operator saves them. */
export const marketSavedFiles: Readonly<Record<string, readonly OfficialAnswer[]>> = Object.fromEntries(
  sites.filter(site => site.isSaved).map(site => [site.key, [folderFile(site)]] as const),
)
