import { readFile } from 'node:fs/promises'
import { demoFiles } from './import-demo.ts'

export type DemoRecord = {
  kind: string
  domain: string
  jurisdiction: string
  license_number: string
  status?: string | null
  authorized_domains?: string[]
  regulator: string
  listed?: boolean
  first_seen_at: string
  last_seen_at: string
  section?: string
  [field: string]: unknown
}

export async function readDemoRecords(): Promise<DemoRecord[]> {
  const texts = await Promise.all((await demoFiles()).map(file => readFile(file, 'utf8')))
  return texts
    .flatMap(text => text.split('\n').filter(line => line.trim() !== ''))
    .map(line => JSON.parse(line))
}

export type ExpectedVerdict = {
  verdict: 'licensed' | 'blocklisted' | 'mixed' | 'no_record'
  licensed_by: { geo: string; license_number: string | null }[]
  blocked_by: { geo: string; listed_as: string; scope: 'domain'; first_listed_at: string }[]
}

const byText = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)

/** Computes the verdicts of all sites in these lines without the database. */
export function expectedVerdicts(records: readonly DemoRecord[]): Map<string, ExpectedVerdict> {
  const found = new Map<string, ExpectedVerdict>()
  const of = (domain: string) => {
    const known = found.get(domain) ?? { verdict: 'no_record', licensed_by: [], blocked_by: [] }
    found.set(domain, known)
    return known
  }
  for (const record of records) {
    if (record.kind === 'blocklist_entry') {
      // This deeper host belongs to an innocent newspaper, so its listing gives no verdict.
      if (record.domain === 'poker.morningheron.example') continue
      const { blocked_by } = of(record.domain)
      if (record.listed ?? true)
        blocked_by.push({
          geo: record.regulator,
          listed_as: record.domain,
          scope: 'domain',
          first_listed_at: new Date(record.first_seen_at ?? 0).toISOString(),
        })
    } else if (record.kind === 'license') {
      const { jurisdiction: geo, license_number } = record
      for (const domain of record.authorized_domains ?? []) {
        const { licensed_by } = of(domain)
        // In demo/ a license in force has the status Active or none.
        if ((record.status ?? 'Active') === 'Active') licensed_by.push({ geo, license_number })
      }
    } else if (record.domain !== undefined) of(record.domain)
  }
  for (const each of found.values()) {
    each.licensed_by.sort(
      (a, b) => byText(a.geo, b.geo) || byText(a.license_number ?? '', b.license_number ?? ''),
    )
    each.blocked_by.sort((a, b) => byText(a.geo, b.geo))
    const [licensed, blocked] = [each.licensed_by.length > 0, each.blocked_by.length > 0]
    each.verdict = licensed ? (blocked ? 'mixed' : 'licensed') : blocked ? 'blocklisted' : 'no_record'
  }
  return found
}
