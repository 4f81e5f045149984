import { describe, expect, test } from 'vitest'
import { fixtureText, jsonDescription, problemsOf } from '../test/described.ts'

const blocklist = fixtureText('croatia-blocklist.yaml')
const licences = fixtureText('isle-of-man-licences.yaml')
const lines = fixtureText('cyprus-blocklist.yaml')

const changed = (text: string, from: string, to: string) => {
  if (!text.includes(from)) throw new Error(`the description has no ${from}`)
  return text.replace(from, to)
}

describe('problems of descriptions', () => {
  const invalid: [what: string, text: string, problems: string[]][] = [
    ['an empty file', '', ['1:1 a description must be keys with values, such as "key: jersey.sites"']],
    ['a list', '- a\n- b\n', ['1:1 a description must be keys with values, such as "key: jersey.sites"']],
    [
      'broken YAML',
      changed(blocklist, 'covers: [blocklist]', 'covers: [blocklist'),
      [
        '4:1 not readable as YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
      ],
    ],
    [
      'a key twice',
      changed(blocklist, 'rows_min: 3', 'rows_min: 3\nmarket: jersey'),
      ['11:1 the key "market" is repeated'],
    ],
    [
      'two documents',
      `${blocklist}---\na: b\n`,
      [expect.stringMatching(/^35:1 not readable as YAML: Source contains multiple documents/)],
    ],
    [
      'an alias',
      changed(
        changed(blocklist, 'key: croatia.blocklist', 'key: &name croatia.blocklist'),
        '"Popis nedopuštenih igara"',
        '*name',
      ),
      ['1:12 anchors are not supported', '13:18 aliases are not supported'],
    ],
    [
      'an unknown key',
      changed(blocklist, 'rows_min: 3', 'row_min: 3'),
      [
        '1:1 rows_min is missing; it must be a whole number from 0 to 10000000',
        '10:1 a description has an unknown key "row_min"; did you mean "rows_min"?',
      ],
    ],
    [
      'an unknown key without a similar one',
      changed(blocklist, '  title_rows_max: 3', '  colour: green'),
      [
        '19:3 file has an unknown key "colour"; the known keys are format, encoding, delimiter, title_rows_max, header_rows, pages_max, zip',
      ],
    ],
    [
      'a key of another format',
      changed(blocklist, '  title_rows_max: 3', '  sheet: 1'),
      [
        '19:3 file has an unknown key "sheet"; the known keys are format, encoding, delimiter, title_rows_max, header_rows, pages_max, zip',
      ],
    ],
    [
      'an unknown format, beside another mistake',
      changed(changed(blocklist, 'format: csv', 'format: cvs'), 'rows_min: 3', 'rows_min: few'),
      [
        '10:11 rows_min must be a whole number from 0 to 10000000, found "few"',
        '16:11 file.format must be one of csv, tsv, xlsx, xml, json, html, pdf, text, hosts, found "cvs"; did you mean "csv"?',
      ],
    ],
    [
      'a maximum of rows below the minimum',
      changed(blocklist, 'rows_min: 3', 'rows_min: 3\nrows_max: 2'),
      ['11:11 rows_max must be at least rows_min, 3; found 2'],
    ],
    [
      'a last line break of a format without lines',
      changed(JSON.stringify(jsonDescription, null, 2), '"tsv"', '"json"').replace(
        '"rows_min"',
        '"ends_with_line_break": true,\n  "rows_min"',
      ),
      [
        expect.stringMatching(
          /ends_with_line_break must be false with json; true is for csv, tsv, text and hosts$/,
        ),
      ],
    ],
    [
      'an unknown encoding',
      changed(blocklist, 'windows-1250', 'windows-1259'),
      [
        expect.stringMatching(
          /^17:13 file\.encoding must be one of utf-8, .*, found "windows-1259"; did you mean "windows-125\d"\?$/,
        ),
      ],
    ],
    [
      'a key without a value',
      changed(blocklist, 'regulator: Office of Games (fictional)', 'regulator:'),
      ['4:1 regulator must be the name of the regulator, found nothing'],
    ],
    [
      'a missing key of a record',
      changed(licences, '    legal_name: { column: company }\n', ''),
      ['28:3 records.licensee.legal_name is missing; it must be an object with the keys column, constant'],
    ],
    [
      'a number where text should be',
      changed(licences, 'headers: [number]', 'headers: [7]'),
      ['19:24 columns.licence.headers[0] must be a header as printed; put a number in quotes, found 7'],
    ],
    [
      'an invalid column name',
      changed(licences, '  kind: {', '  Kind of holder: {'),
      ['25:3 columns must be names of lower-case letters, digits and _, found "Kind of holder"'],
    ],
    [
      'a misspelled status',
      changed(
        changed(
          licences,
          'status: { column: state }',
          'status: { column: state, words: { Resting: suspendd } }',
        ),
        '',
        '',
      ),
      [
        '37:48 records.license.status.words.Resting must be one of active, white_label, suspended, revoked, expired, ' +
          'surrendered, lapsed, forfeited, pending, inactive, cancelled, found "suspendd"; did you mean "suspended"?',
      ],
    ],
    [
      'an unknown market',
      changed(blocklist, 'market: croatia', 'market: croatai'),
      ['2:9 market must be the code of a known market, found "croatai"; did you mean "croatia"?'],
    ],
    [
      'a key of another market',
      changed(blocklist, 'key: croatia.blocklist', 'key: jersey.blocklist'),
      ['1:6 key must begin with its market, "croatia.", found "jersey.blocklist"'],
    ],
    [
      'a key of another form',
      changed(blocklist, 'key: croatia.blocklist', 'key: Croatia'),
      ['1:6 key must be <market>.<what> in lower case, such as jersey.operators, found "Croatia"'],
    ],
    [
      'an address that cannot be opened safely',
      changed(blocklist, 'https://regulator', 'http://regulator'),
      ['6:15 official_url must begin with https://, found "http://regulator.example/popis"'],
    ],
    [
      'a claim without matching records',
      changed(
        changed(blocklist, 'covers: [blocklist]', 'covers: [register]'),
        'source_claim: blocklist',
        'source_claim: license',
      ),
      [
        '3:9 covers has register, but records has no licensee, license or authorised_domains',
        '3:9 covers must have blocklist: records has blocklist_entries',
        '11:15 source_claim must be blocklist for these records, found "license"',
      ],
    ],
    [
      'a published fact without a field',
      changed(
        blocklist,
        'revoked: false, dates: true, domains: true, roles: false',
        'revoked: true, dates: true, domains: true, roles: true',
      ),
      [
        '8:23 publishes.revoked is true, but records.license.status is never revoked',
        '8:64 publishes.roles is true, but records.license has no role',
      ],
    ],
    [
      'no records at all',
      `${blocklist.slice(0, blocklist.indexOf('records:'))}records: {}\n`,
      [
        '8:37 publishes.dates is true, but no record has a date',
        '8:52 publishes.domains is true, but records has no authorised_domains and no blocklist_entries',
        '28:1 records must have at least one of licensee, license, authorised_domains, blocklist_entries',
      ],
    ],
    [
      'a license without a holder',
      licences.replace(/ {2}licensee:\n(?: {4}.*\n)+/, ''),
      ['28:3 records.license needs records.licensee, its holder'],
    ],
    [
      'an unknown column',
      changed(blocklist, 'domain: { column: site,', 'domain: { column: sites,'),
      ['30:23 "columns" has no column "sites"; did you mean "site"?'],
    ],
    [
      'a column without a similar one',
      changed(blocklist, 'leave_out: { column: state,', 'leave_out: { column: kind_of_row,'),
      ['27:22 "columns" has no column "kind_of_row"; it has site, state, listed, deleted, ground'],
    ],
    [
      'a key on a column that may be missing',
      changed(blocklist, 'headers: [Datum upisa]', 'headers: [Datum upisa], optional: true'),
      ['34:16 the column "listed" is optional; a key column must be in every file'],
    ],
    [
      'one header for two columns',
      changed(blocklist, '[Datum brisanja]', '[DATUM  upisa]'),
      ['24:24 the header "DATUM  upisa" already belongs to the column "listed"'],
    ],
    [
      'a field with neither a column nor a constant, and one with both',
      changed(
        changed(licences, 'country: { constant: IM }', 'country: {}'),
        'license_type: { column: types }',
        'license_type: { column: types, constant: remote }',
      ),
      [
        '32:5 records.licensee.country must have a column or a constant, found neither',
        '36:5 records.license.license_type must have a column or a constant, found both',
      ],
    ],
    [
      'words that differ in case only',
      changed(blocklist, 'izbrisano: delisted', 'izbrisano: delisted, BLOKIRANO: delisted'),
      [
        '31:79 records.blocklist_entries.status.words has "BLOKIRANO" and "blokirano", which are read as the same word',
      ],
    ],
    [
      'ambiguous dates',
      changed(blocklist, '[d.m.yyyy, d/m/yyyy]', '[d/m/yyyy, m/d/yyyy]'),
      ['33:49 d/m/yyyy and m/d/yyyy exclude each other: 03/04/2026 would be ambiguous'],
    ],
    [
      'local time without a zone, and an unknown zone',
      changed(
        changed(blocklist, 'date_forms: [d.m.yyyy] }', 'date_forms: [local] }'),
        '[d.m.yyyy, d/m/yyyy]',
        '[local], time_zone: Europe/Atlantis',
      ),
      [
        '32:5 records.blocklist_entries.listed_at reads local times and needs a time_zone, such as Europe/Warsaw',
        '33:69 time_zone must be a time zone such as Europe/Warsaw, found "Europe/Atlantis"',
      ],
    ],
    [
      'an invalid pattern',
      changed(lines, String.raw`'\d+\. (?<site>\S+)`, String.raw`'\d+\. (?<site>\S+))`),
      [expect.stringMatching(/^19:12 file\.pattern must be a regular expression: .*Unmatched '\)'/)],
    ],
    [
      'a column that is not a group of the pattern',
      changed(lines, 'headers: [remark]', 'headers: [remarks]'),
      [
        '22:23 columns.remark.headers must be a group of the pattern: site, remark; found "remarks"; did you mean "remark"?',
      ],
    ],
    [
      'a pattern without groups',
      changed(lines, String.raw`(?<site>\S+)(?: \((?<remark>.*)\))?`, '.*'),
      ['19:12 file.pattern must have named groups, such as (?<site>\\S+)'],
    ],
    [
      'an invalid path',
      changed(licences, 'headers: [holder/name]', 'headers: [holder//name]'),
      ['17:24 a header of json must be names separated by /, found "holder//name"'],
    ],
  ]

  test('the tests cover every kind of problem that a description can have', () => {
    expect(invalid.map(([what, text]) => [what, text, problemsOf(text)])).toEqual(invalid)
  })

  test('a description that is too long is refused', () => {
    expect(problemsOf(`${blocklist}#${'x'.repeat(300_000)}`)).toEqual([
      '1:1 a description can have at most 262144 characters',
    ])
  })
})
