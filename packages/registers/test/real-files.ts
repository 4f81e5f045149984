/** Real files of regulators, which stand beside the project, and what each stream reads of them. */
import { existsSync } from 'node:fs'
import type { RejectReason } from '../stream.ts'

export const data = new URL('../../../../shared/data/', import.meta.url)
export const hasRealFiles = existsSync(data)
export const ukgcFiles = (folder: string) =>
  ['businesses', 'licences', 'trading-names', 'domain-names'].map(
    table => `united-kingdom/${folder}/business-licence-register-${table}.csv`,
  )

export type Counts = Partial<Record<'licensee' | 'license' | 'authorisation' | 'blocklist_entry', number>>
export type Rejects = Partial<Record<RejectReason, number>>

/** The key, the paths, and the numbers of records and rejects that each stream reads. */
export const files: [key: string, paths: string[], records: Counts, rejected: Rejects][] = [
  ['australia.blocklist', ['australia/acma_blocked_2026-04-01.txt'], { blocklist_entry: 1_553 }, {}],
  [
    'belgium.blocklist',
    ['belgium/illegal-sites_2023-05-20_ndpi.txt'],
    { blocklist_entry: 420 },
    { duplicate: 6 },
  ],
  [
    'brazil.brands',
    ['brazil/BetsBrasileiras_bets_2025-01-26.json'],
    { licensee: 12, license: 12, authorisation: 39 },
    {},
  ],
  [
    'czechia.blocklist',
    ['czechia/Zverejnovane-udaje-ze-Seznamu-nepovolenych-internetovych-her_v70.csv'],
    { blocklist_entry: 748 },
    { duplicate: 2 },
  ],
  [
    'czechia.blocklist',
    ['czechia/mfcr_original_2023-12-30_old-schema.csv'],
    { blocklist_entry: 913 },
    { duplicate: 4 },
  ],
  ['czechia.blocklist', ['czechia/mfcr_original_2024-03-12_new-schema.csv'], { blocklist_entry: 913 }, {}],
  [
    'czechia.blocklist',
    ['czechia/mfcr_original_2026-07-28.csv'],
    { blocklist_entry: 3_368 },
    { duplicate: 12, unknown_suffix: 1 },
  ],
  [
    'denmark.operators',
    ['denmark/spillemyndigheden-licensed-operators_sample_2026-10-02.tsv'],
    { licensee: 29, authorisation: 64 },
    {},
  ],
  ['estonia.blocklist', ['estonia/emta_blocklist_2024-04-18.txt'], { blocklist_entry: 1_849 }, {}],
  [
    'france.blocklist',
    ['france/anj_blacklist_2026-03-29_url_column.txt'],
    { blocklist_entry: 2_531 },
    { duplicate: 1_875, no_dot: 8, unknown_suffix: 4 },
  ],
  [
    'greece.blocklist',
    ['greece/hgc_blacklist_2026-03-30_asuploaded.txt'],
    { blocklist_entry: 12_907 },
    { duplicate: 28, unknown_suffix: 2, blank_inside: 1, ip_address: 2 },
  ],
  ['italy.blocklist', ['italy/aams_hosts_2023-09-25.txt'], { blocklist_entry: 9_685 }, {}],
  [
    'italy.blocklist',
    ['italy/elenco_siti_inibiti_giochi_2026-07-12.normalised.txt'],
    { blocklist_entry: 12_448 },
    {},
  ],
  ['mga.licensees', ['malta/mga_licensees_sample_2026-10-09.json'], { licensee: 17, license: 17 }, {}],
  [
    'netherlands.sites',
    ['netherlands/ksa_kansspelwijzer_domains_2026-05-20.txt'],
    { authorisation: 35 },
    { duplicate: 1 },
  ],
  ['ontario.sites', ['canada-ontario/igo_sites_2026-08-20.txt'], { authorisation: 83 }, {}],
  ['poland.blocklist', ['poland/register_shape_CONSTRUCTED.xml'], { blocklist_entry: 10 }, {}],
  [
    'romania.blocklist',
    ['romania/Lista-neagra_2026-03-30.txt'],
    { blocklist_entry: 1_733 },
    { duplicate: 23 },
  ],
  ['romania.sites', ['romania/onjn_licensed_domains_2026-07-05.txt'], { authorisation: 94 }, {}],
  ['spain.sites', ['spain/dgoj_operator_domains_2026-08-13.txt'], { authorisation: 127 }, {}],
  [
    'sweden.sites',
    ['sweden/spelinspektionen_webadresses_2026-08-05.txt'],
    { authorisation: 190 },
    { not_a_domain: 1 },
  ],
  ['ukgc.licences', ukgcFiles('2026-10-09'), { licensee: 51, license: 45, authorisation: 47 }, {}],
  [
    'ukgc.licences',
    ukgcFiles('2026-08-15_backdated-SYNTHETIC'),
    { licensee: 36, license: 29, authorisation: 41 },
    {},
  ],
  [
    'ukraine.sites',
    ['ukraine/full_database_20260418.csv'],
    { blocklist_entry: 3_576, authorisation: 33 },
    { undecided: 83, duplicate: 4, unknown_suffix: 1 },
  ],
  [
    'ukraine.sites',
    ['ukraine/full_database_20260604.csv'],
    { blocklist_entry: 4_670, authorisation: 33 },
    { undecided: 541, duplicate: 6, unknown_suffix: 1 },
  ],
  [
    'ukraine.sites',
    ['ukraine/full_database_20260730.csv'],
    { blocklist_entry: 10_652, authorisation: 34 },
    { undecided: 495, duplicate: 19, unknown_suffix: 3 },
  ],
  ['us_michigan.sites', ['us-mi/mgcb_sites_2026-05-04.txt'], { authorisation: 24 }, { duplicate: 6 }],
  ['us_new_jersey.sites', ['us-nj/dge_sites_2026-05-03.txt'], { authorisation: 14 }, {}],
  ['us_new_jersey.sites', ['us-nj/nj_dge_sample.html'], { authorisation: 4 }, { duplicate: 2 }],
  [
    'us_pennsylvania.sites',
    ['us-pa/pgcb_sites_2026-06-11.txt'],
    { authorisation: 44 },
    { duplicate: 6, shared_host: 1 },
  ],
]
