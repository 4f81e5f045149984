/** Registers with two files: the licensees, and their sites by name. */
import { fileOfBytes } from '@baize/tables'
import { describe, expect, test } from 'vitest'
import { described, jsonDescription, problemsOf } from './described.ts'
import { gather, rejectTexts } from './gather.ts'

const description = {
  ...jsonDescription,
  source_claim: 'license',
  file: { format: 'csv' },
  columns: { number: { headers: ['Number'] }, company: { headers: ['Company'] } },
  records: { licensee: { key: ['number'], legal_name: { column: 'company' } } },
  second_file: {
    official_url: 'https://regulator.example/sites',
    resolve: { by: 'newest_link', href: '\\.tsv$' },
    file: { format: 'tsv' },
    columns: { operator: { headers: ['Operator'] }, site: { headers: ['Site'] } },
    licensee: { column: 'operator', as: 'company' },
    domain: { column: 'site', split: [','] },
  },
}
const text = (changed: object = {}) => JSON.stringify({ ...description, ...changed }, null, 1)
const stream = described(text())
const companies = 'Number,Company\n1,"OTTER, s.r.o."\n2,Heron a.s.\n3,Twin s.r.o.\n4,"Twin, spol. s r.o."\n'
const sites = [
  'Operator\tSite',
  'Otter spol. s r. o.\totter.example, www.otter.example/casino',
  'HERON, a. s.\theron.example',
  'Fox a.s.\tfox.example',
  'Twin s.r.o.\ttwin.example',
]
const file = (name: string, content: string) => fileOfBytes(name, content)
const list = await gather(stream.read([file('a.csv', companies), file('b.tsv', `${sites.join('\n')}\n`)]))

describe('a register with a second file of sites', () => {
  test('a site belongs to the licensee whose name is another spelling of the same name', () => {
    expect(list.licensee.map(row => row.recordKey)).toEqual(['1', '2', '3', '4'])
    expect(list.authorisation.map(row => [row.domain, row.licenseeKey, row.counts])).toEqual([
      ['otter.example', '1', true],
      ['heron.example', '2', true],
    ])
  })

  test('a site of an unknown licensee, or of a name that two have, is rejected and not guessed', () => {
    expect(rejectTexts(list.reject)).toEqual([
      'duplicate www.otter.example/casino',
      'unknown_account Fox a.s. | fox.example',
      'unknown_account Twin s.r.o. | twin.example',
    ])
  })

  test('the first file alone is refused, because every site would be removed', async () => {
    const reading = gather(stream.read([file('a.csv', companies)]))
    await expect(reading).rejects.toThrow(/expected a second file .*, found one file/)
  })

  test('files in the wrong order are refused', async () => {
    const files = [file('b.tsv', sites.join('\n')), file('a.csv', companies)]
    await expect(gather(stream.read(files))).rejects.toThrow(/expected .*Number/)
  })

  test('both files have their address and way to be found', () => {
    expect(stream.official.files).toEqual([
      { url: 'https://regulator.example/', resolve: { by: 'direct' } },
      {
        url: 'https://regulator.example/sites',
        resolve: { by: 'newest_link', href: '\\.tsv$' },
      },
    ])
  })

  test('another way to read the second file is another version of the parser', () => {
    const { second_file } = description
    const versionOf = (changed: object) =>
      described(text({ second_file: { ...second_file, ...changed } })).parserVersion
    expect(versionOf({ domain: { column: 'site' } })).not.toBe(stream.parserVersion)
    expect(versionOf({ official_url: 'https://regulator.example/moved' })).toBe(stream.parserVersion)
  })
})

test.each([
  [{ licensee: { column: 'operator', as: 'compny' } }, /"columns" has no column "compny"/],
  [{ licensee: { column: 'company', as: 'company' } }, /"columns" has no column "company"/],
  [{ domain: { column: 'company' } }, /second_file: "columns" has no column "company"/],
  [{ official_url: 'http://regulator.example' }, /second_file: official_url must begin with https/],
  [{ resolve: { by: 'pages' } }, /second_file: resolve by pages needs parameter/],
  [{ file: { format: 'doc' } }, /second_file: file\.format must be one of csv/],
  [{ sites: 'x' }, /second_file: a description has an unknown key "sites"/],
])('a second file is refused with its line: %j', (changed, message) => {
  const [problem, ...others] = problemsOf(text({ second_file: { ...description.second_file, ...changed } }))
  expect(problem).toMatch(message)
  expect(Number.parseInt(problem ?? '', 10)).toBeGreaterThan(40)
  expect(others).toEqual([])
})

test('a second file needs licensees, and has their domains alone', () => {
  const { licensee } = description.records
  const records = { licensee, authorised_domains: { domain: { column: 'company' } } }
  expect(problemsOf(text({ records }))).toEqual([
    expect.stringMatching(/second_file needs records\.licensee/),
  ])
})
