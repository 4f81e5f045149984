import { existsSync } from 'node:fs'
import { join } from 'node:path'

export type RealSnapshot = { stream: string; takenAt: string; files: string[] }

/** The real files by stream, the oldest first. The dates come from their names. */
const known: [stream: string, takenAt: string, ...files: string[]][] = [
  ['australia.blocklist', '2026-04-01', 'australia/acma_blocked_2026-04-01.txt'],
  ['belgium.blocklist', '2023-05-20', 'belgium/illegal-sites_2023-05-20_ndpi.txt'],
  [
    'czechia.blocklist',
    '2023-06-12',
    'czechia/Zverejnovane-udaje-ze-Seznamu-nepovolenych-internetovych-her_v70.csv',
  ],
  ['czechia.blocklist', '2023-06-13', 'czechia/bad-downloads/mfcr_2023-06-13_html_instead_of_csv.html'],
  ['czechia.blocklist', '2023-12-30', 'czechia/mfcr_original_2023-12-30_old-schema.csv'],
  ['czechia.blocklist', '2024-03-12', 'czechia/mfcr_original_2024-03-12_new-schema.csv'],
  ['czechia.blocklist', '2026-07-28', 'czechia/mfcr_original_2026-07-28.csv'],
  ['brazil.brands', '2026-06-01', 'brazil/BetsBrasileiras_bets_2025-01-26.json'],
  ['denmark.operators', '2026-10-02', 'denmark/spillemyndigheden-licensed-operators_sample_2026-10-02.tsv'],
  ['estonia.blocklist', '2024-04-18', 'estonia/emta_blocklist_2024-04-18.txt'],
  ['france.blocklist', '2026-03-29', 'france/anj_blacklist_2026-03-29_url_column.txt'],
  ['greece.blocklist', '2026-03-30', 'greece/hgc_blacklist_2026-03-30_asuploaded.txt'],
  ['italy.blocklist', '2023-09-25', 'italy/aams_hosts_2023-09-25.txt'],
  ['italy.blocklist', '2026-07-12', 'italy/elenco_siti_inibiti_giochi_2026-07-12.normalised.txt'],
  ['mga.licensees', '2026-10-09', 'malta/mga_licensees_sample_2026-10-09.json'],
  ['netherlands.sites', '2026-05-20', 'netherlands/ksa_kansspelwijzer_domains_2026-05-20.txt'],
  ['ontario.sites', '2026-08-20', 'canada-ontario/igo_sites_2026-08-20.txt'],
  ['poland.blocklist', '2023-08-29', 'poland/pl+be_gambling_2023-08-29_ndpi.txt'],
  ['romania.blocklist', '2026-03-30', 'romania/Lista-neagra_2026-03-30.txt'],
  ['romania.sites', '2026-07-05', 'romania/onjn_licensed_domains_2026-07-05.txt'],
  ['spain.sites', '2026-08-13', 'spain/dgoj_operator_domains_2026-08-13.txt'],
  ['sweden.sites', '2026-08-05', 'sweden/spelinspektionen_webadresses_2026-08-05.txt'],
  ['ukgc.licences', '2026-08-15', ...ukgc('2026-08-15_backdated-SYNTHETIC')],
  ['ukgc.licences', '2026-10-09', ...ukgc('2026-10-09')],
  ['ukraine.sites', '2026-04-18', 'ukraine/full_database_20260418.csv'],
  ['ukraine.sites', '2026-06-04', 'ukraine/full_database_20260604.csv'],
  ['ukraine.sites', '2026-07-30', 'ukraine/full_database_20260730.csv'],
  ['us_michigan.sites', '2026-05-04', 'us-mi/mgcb_sites_2026-05-04.txt'],
  ['us_new_jersey.sites', '2026-05-03', 'us-nj/dge_sites_2026-05-03.txt'],
  ['us_pennsylvania.sites', '2026-06-11', 'us-pa/pgcb_sites_2026-06-11.txt'],
]

function ukgc(folder: string): string[] {
  return ['businesses', 'licences', 'trading-names', 'domain-names'].map(
    table => `united-kingdom/${folder}/business-licence-register-${table}.csv`,
  )
}

export function realSnapshots(directory: string): RealSnapshot[] {
  const found: RealSnapshot[] = []
  for (const [stream, day, ...names] of known) {
    const files = names.map(name => join(directory, name))
    const missing = names.filter((_, index) => !existsSync(files[index] as string))
    if (missing.length > 0) console.log(`${stream} ${day}: skipped, ${missing.join(', ')} is missing`)
    else found.push({ stream, takenAt: `${day}T00:00:00Z`, files })
  }
  return found
}

export const registersOfNames = ['ukgc.licences', 'mga.licensees', 'denmark.operators', 'brazil.brands']

/** Is a failed download among the newer files. All others can be read. */
export const isFailedDownload = ({ files }: RealSnapshot) =>
  files.some(file => file.includes('bad-downloads'))

/** What the files of all streams say of some inputs. */
export const askedDomains: readonly (readonly [input: string, answer: string])[] = [
  ['www.midnite.com', 'licensed'],
  ['https://rambobet.co.uk/promotions?x=1', 'licensed'],
  ['casumo.com', 'mixed'],
  ['bet365.com', 'mixed'],
  ['1xbet.com', 'blocklisted'],
  ['https://www.thelotter.com/en/', 'blocklisted'],
  ['drückglück.de', 'blocklisted'],
  ['bwin.com', 'blocklisted'],
  ['a-domain-that-nobody-lists.com', 'no_record'],
  ['192.168.0.1', 'invalid_domain'],
]
