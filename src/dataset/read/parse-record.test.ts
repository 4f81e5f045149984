import { expect, test } from 'vitest'
import { normaliseRecord } from './normalise-record.ts'
import { parseRecord } from './parse-record.ts'

function reasonOf(line: string): string | null {
  const parsed = parseRecord(line)
  if (!parsed.ok) return parsed.reason
  const normalised = normaliseRecord(parsed.record)
  return normalised.ok ? null : normalised.reason
}

const company = '"kind":"company","key":"acme"'
const entry = '"kind":"blocklist_entry","regulator":"poland"'

test.each([
  ['{', 'not JSON'],
  ['[]', 'not a JSON object'],
  ['{}', 'missing field "kind"'],
  ['{"kind":7}', 'kind: is not a string'],
  ['{"kind":"compnay"}', 'unknown kind "compnay"; did you mean "company"?'],
  ['{"kind":"xylophone"}', 'unknown kind "xylophone"'],
  ['{"kind":"logo"}', 'missing field "subject_kind"; missing field "slug"; missing field "name"'],
  ['{"kind":"company"}', 'missing field "key"'],
  [`{${company},"rolee":["operator"]}`, 'unknown field "rolee"; did you mean "role"?'],
  [`{${company},"zzz":1}`, 'unknown field "zzz"'],
  [`{${company},"role":["king"]}`, /^role\[0\]: must be one of operator, aggregator/],
  [`{${company},"brands":["A","A"]}`, /^brands: must not have duplicate items/],
  [`{${company},"country":" GB"}`, 'country: must not begin or end with a blank'],
  [
    `{${company},"apps":[{"store":"app_store","app_id":"1","link":"x"}]}`,
    /unknown field "apps\[0\].link".*missing field "apps\[0\].url"/,
  ],
  [`{${company},"company_name":"a\\u0000b"}`, 'holds a character that text cannot hold'],
  [`{${company},"company_name":"\\ud800"}`, 'holds a character that text cannot hold'],
  ['{"kind":"observation","domain":"a.test"}', 'missing field "section"'],
  [
    '{"kind":"observation","domain":"a.test","section":"geos"}',
    'unknown section "geos"; did you mean "geo"?',
  ],
  ['{"kind":"observation","domain":"a.test","section":"geo","category":"card"}', 'unknown field "category"'],
  [
    `{${entry},"domain":"a.test","first_seen_at":"2025-01-01"}`,
    'first_seen_at: must be a time, ISO 8601 with an offset',
  ],
  [
    `{${entry},"domain":"a.test","first_seen_at":"0001-01-01T00:00:00Z"}`,
    'first_seen_at: "0001-01-01T00:00:00Z" is no time of our era',
  ],
  [
    `{${entry},"domain":"a.test","first_seen_at":"2025-02-01T00:00:00Z","last_seen_at":"2025-01-01T00:00:00Z"}`,
    'first_seen_at lies after last_seen_at',
  ],
  [`{${entry},"domain":"a.test/promo"}`, 'domain: "a.test/promo" names a page, not a site'],
  [`{${entry},"domain":"someone.blogspot.com"}`, null],
  [`{${entry},"domain":"blogspot.com"}`, 'domain: "blogspot.com" is a host of many parties'],
  [`{${entry},"domain":"127.0.0.1"}`, 'domain: "127.0.0.1" is an IP address, not a domain'],
  [
    `{${entry.replace('poland', 'Po land')},"domain":"a.test"}`,
    'regulator: must be a code of 2 to 64 small letters, digits and underscores',
  ],
  [
    '{"kind":"license","jurisdiction":"ukgc","license_number":"1","issued_at":"2025-02-30"}',
    'issued_at: must be a date, YYYY-MM-DD',
  ],
  [
    '{"kind":"license","jurisdiction":"ukgc","license_number":"1","authorized_domains":["a.test","nonsense"]}',
    'authorized_domains[1]: "nonsense" is not a domain',
  ],
  ['{"kind":"domain","domain":"a.test","company":"acme"}', 'company and relation stand together'],
  ['{"kind":"domain","domain":"a.test","brand":"A"}', 'brand stands only with a company'],
  [
    '{"kind":"account","key":"a","name":"A","plan":"platinum"}',
    'plan: must be one of free, starter, growth, internal',
  ],
])('%s → %s', (line, reason) => {
  if (reason instanceof RegExp) expect(reasonOf(line)).toMatch(reason)
  else expect(reasonOf(line)).toBe(reason)
})

test('a reason never quotes more of a line than a report can show', () => {
  const name = 'x'.repeat(100_000)
  expect(reasonOf(JSON.stringify({ kind: name }))?.length).toBeLessThan(200)
  expect(reasonOf(JSON.stringify({ kind: 'company', key: 'a', [name]: 1 }))?.length).toBeLessThan(200)
})

test('a line that is nested deeper than a stack is high is one bad line', () => {
  const deep = `${'['.repeat(300_000)}"\\u0041"${']'.repeat(300_000)}`
  expect(reasonOf(`{${company},"deep":${deep}}`)).toBe('unknown field "deep"')
  expect(reasonOf(`{${company},"deep":${deep.replace('0041', '0000')}}`)).toBe(
    'holds a character that text cannot hold',
  )
})

test('a list that is longer than its field takes is told as that, and at once', () => {
  const items = (count: number) => JSON.stringify(Array(count).fill('operator'))
  expect(reasonOf(`{${company},"role":${items(70_000)}}`)).toBe('role: must not have more than 9 items')
  expect(reasonOf(`{${company},"brands":${items(70_000)}}`)).toBe(
    'brands: must not have more than 1000 items',
  )
}, 5_000)

test('a line that is not JSON is not quoted at all, for it may hold a key', () => {
  expect(reasonOf('{"kind":"account","api_key":"client_secret"')).toBe('not JSON')
})

test('domains, statuses and instants take their one spelling', () => {
  const parsed = parseRecord(
    JSON.stringify({
      kind: 'license',
      jurisdiction: 'ukgc',
      license_number: '1',
      status: 'Revoked - Non Payment of Fee',
      authorized_domains: ['https://WWW.Acme.Example/en', 'acme.example'],
      first_seen_at: '2025-01-01T02:00:00+02:00',
    }),
  )
  expect(parsed.ok && normaliseRecord(parsed.record)).toMatchObject({
    rows: [
      { row: { record_key: 'ukgc|1', status: 'revoked', first_seen_at: '2025-01-01T00:00:00.000Z' } },
      { table: 'staged_license_domains', row: { domain: 'acme.example' } },
    ],
  })
})
