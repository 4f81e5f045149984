import type { Settings } from '../config/settings.ts'
import { readVersion } from '../config/version.ts'
import type { AskSource, SourceAnswer, Sources } from '../core/sources.ts'
import type { World } from '../database/open.ts'
import { importRecords } from '../dataset/index.ts'
import { askSource } from '../observation/index.ts'
import { contactLines, firmographicsLines, type ReadAnswer } from './source-answers.ts'

const firmographicsBytesMax = 256 * 1024
const contactsBytesMax = 1024 * 1024

export type SourceSettings = Pick<Settings, 'baseUrl' | 'network'> & {
  observation: Pick<Settings['observation'], 'firmographicsUrl' | 'contactsUrl'>
}

/** The adapters of FIRMOGRAPHICS_URL and CONTACTS_URL. What they answer is validated and imported. */
export function openSources(settings: SourceSettings, world: World, now: () => Date): Sources {
  const { baseUrl, network, observation } = settings
  const userAgent = `Baize/${readVersion()} (+${baseUrl})`
  const asking =
    (url: string, bytesMax: number, read: ReadAnswer): AskSource =>
    async (domain, signal): Promise<SourceAnswer> => {
      const response = await askSource({ url, domain, bytesMax, userAgent, network, signal })
      if (response.outcome !== 'answered') return response
      const asked = { domain, host: URL.parse(url)?.hostname ?? url, now: now() }
      const lines = read(response.body, asked)
      if (lines === null) return { outcome: 'unavailable' }
      return lines.length === 0 ? { outcome: 'no_data' } : { outcome: 'found', lines }
    }
  const { firmographicsUrl, contactsUrl } = observation
  return {
    firmographics:
      firmographicsUrl === null ? null : asking(firmographicsUrl, firmographicsBytesMax, firmographicsLines),
    contacts: contactsUrl === null ? null : asking(contactsUrl, contactsBytesMax, contactLines),
    store: async lines => (await importRecords(world, lines, now())) !== null,
  }
}
