import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sheetRows, workbook, workbookParts, zipParts } from './test/make-files.ts'
import { readOutcome } from './test/outcome.ts'
import { fixtureBytes, fixtureText, read } from './test/read.ts'

const forms = {
  csv: ['croatia-blocklist.yaml', fixtureBytes('croatia-blocklist.csv')],
  tsv: ['latvia-operators.yaml', fixtureBytes('latvia-operators.tsv')],
  xlsx: ['hungary-licences.yaml', workbook({ Remote: sheetRows() })],
  xml: ['bulgaria-blocklist.yaml', fixtureBytes('bulgaria-blocklist.xml')],
  json: ['isle-of-man-licences.yaml', fixtureBytes('isle-of-man-licences.json')],
  html: ['kahnawake-holders.yaml', fixtureBytes('kahnawake-holders.html.txt')],
  text: ['cyprus-blocklist.yaml', fixtureBytes('cyprus-blocklist.txt')],
} as const

const formats = Object.keys(forms) as (keyof typeof forms)[]
const descriptionOf = (format: keyof typeof forms) => fixtureText(forms[format][0])
const fileOf = (format: keyof typeof forms): Uint8Array => forms[format][1]

const outcomeOf = (format: keyof typeof forms, content: Uint8Array | string, pieceBytes = 65_536) =>
  readOutcome(descriptionOf(format), content, pieceBytes)

test.each(formats)('the unchanged fixture for %s is read', async format => {
  expect(await outcomeOf(format, fileOf(format))).toBe('read')
})

describe('arbitrary bytes', () => {
  test.each(formats)('a %s file of random bytes is refused without another error', async format => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        fc.integer({ min: 1, max: 50 }),
        async (bytes, piece) => {
          expect(await outcomeOf(format, bytes, piece)).not.toBe('')
        },
      ),
      { numRuns: 60 },
    )
  })

  test.each(formats)(
    'a %s file with changed, removed and inserted bytes is read or refused without another error',
    async format => {
      const file = fileOf(format)
      const change = fc.record({
        at: fc.nat({ max: file.length - 1 }),
        drop: fc.nat({ max: 20 }),
        put: fc.oneof(
          fc.uint8Array({ maxLength: 6 }),
          fc
            .constantFrom('<', '>', '"', '\0', '&x;', '[', '{', '\r', ';', '\t', '</td>')
            .map(text => Buffer.from(text)),
        ),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async changes => {
          let bytes = Buffer.from(file)
          for (const { at, drop, put } of changes)
            bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + drop)])
          expect(await outcomeOf(format, bytes)).not.toBe('')
        }),
        { numRuns: 80 },
      )
    },
  )

  test('an xlsx file with changed parts is read or refused without another error', async () => {
    const parts = [...workbookParts({ Remote: sheetRows() })]
    const changes = fc.record({
      part: fc.nat({ max: parts.length - 1 }),
      at: fc.nat({ max: 3_000 }),
      put: fc.string({ maxLength: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(changes, fc.nat({ max: 30 }), async ({ part, at, put }, drop) => {
        const changed = parts.map(([name, bytes], index): [string, Buffer] => [
          name,
          index === part
            ? Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + drop)])
            : bytes,
        ])
        expect(await outcomeOf('xlsx', zipParts(new Map(changed)))).not.toBe('')
      }),
      { numRuns: 120 },
    )
  })
})

describe('truncated files', () => {
  test.each([
    ['xml', /is not complete XML/],
    ['json', /is not complete JSON/],
    ['xlsx', /is not a complete zip archive|expected an xlsx workbook/],
  ] as const)('a %s file that is truncated at any length is refused', async (format, message) => {
    const file = fileOf(format)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 70, max: file.length - 3 }), async end => {
        expect(await outcomeOf(format, file.subarray(0, end))).toMatch(message)
      }),
      { numRuns: 60 },
    )
  })

  test('a truncated sheet in a valid archive is refused', async () => {
    const parts = workbookParts({ Remote: sheetRows() })
    const sheet = parts.get('xl/worksheets/sheet1.xml') as Buffer
    parts.set('xl/worksheets/sheet1.xml', sheet.subarray(0, sheet.length - 400))
    expect(await outcomeOf('xlsx', zipParts(parts))).toMatch(
      /"file" has a part xl\/worksheets\/sheet1\.xml that is not complete XML/,
    )
  })
})

describe('unexpected files', () => {
  const page = '<!doctype html>\n<title>503</title>'
  test.each<[keyof typeof forms, string, Uint8Array | string, RegExp]>([
    ['csv', 'nothing', '', /"file" is empty/],
    ['csv', 'an error page', page, /HTML page/],
    [
      'csv',
      'another encoding',
      fixtureText('croatia-blocklist.csv'),
      /expected the columns \[Mrežna adresa \| Stanje/,
    ],
    [
      'csv',
      'a missing column',
      'Mrežna adresa;Stanje\na;b\n',
      /expected the columns .* found \[MreĹľna adresa \| Stanje\]/,
    ],
    [
      'tsv',
      'another delimiter',
      'Operator;Seat;Websites\na;b;c\n',
      /expected the columns .* found \[Operator;Seat;Websites\]/,
    ],
    ['xlsx', 'nothing', '', /"file" is empty/],
    ['xlsx', 'an error page', page, /expected an xlsx workbook, found "<!doctype html> <title>503<\/title>"/],
    ['xlsx', 'an old workbook', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0), /found an xls workbook/],
    [
      'xlsx',
      'an archive of something else',
      zipParts(new Map([['a.xml', Buffer.from('<a/>')]])),
      /is an archive of something else, and not an xlsx workbook/,
    ],
    ['xlsx', 'another sheet', workbook({ Halls: sheetRows() }), /expected the sheet "Remote", found "Halls"/],
    [
      'xlsx',
      'a missing column',
      workbook({ Remote: sheetRows().replace('Granted', 'Given') }),
      /expected the columns \[Holder \| Number \| Granted \| Site\], found \[Holder \| Number \| Given \| Site\]/,
    ],
    ['xml', 'an error page', page, /HTML page/],
    [
      'xml',
      'another root',
      '<Registry><Entries/></Registry>',
      /expected the root element "Register", found "Registry"/,
    ],
    [
      'xml',
      'no rows',
      '<Register><Entries/></Register>',
      /has no element Register\/Entries\/Entry, so it has no rows/,
    ],
    [
      'xml',
      'a missing element',
      '<Register><Entries><Entry no="1"><Site>a</Site><Entered/></Entry></Entries></Register>',
      /expected the elements \[Address\/Domain\], found \[Site\]/,
    ],
    [
      'xml',
      'another encoding',
      '<?xml version="1.0" encoding="ISO-8859-2"?><Register/>',
      /declares the encoding ISO-8859-2; expected utf-8/,
    ],
    ['json', 'an error page', page, /HTML page/],
    [
      'json',
      'another shape',
      '{"data": {"items": []}}',
      /expected rows at data\/licences, found no "licences" but the members items/,
    ],
    [
      'json',
      'no array',
      '{"data": {"licences": {}}}',
      /expected an array at data\/licences, found an object/,
    ],
    [
      'json',
      'a missing member',
      '{"data": {"licences": [{"number": "1"}]}}',
      /expected the members \[holder\/name \| .*\], found \[no others\]/,
    ],
    ['html', 'text', 'lucky-otter.example', /expected HTML, found "lucky-otter.example"/],
    ['html', 'a page without a table', page, /expected a table, found a page without one/],
    [
      'html',
      'another table',
      '<table><tr><td>Brand<td>Owner</table>',
      /expected the columns \[Permit holder .*found \[Brand \| Owner\]/,
    ],
    ['text', 'a workbook', workbook({ A: '' }), /expected text, found a zip archive or an xlsx workbook/],
  ])('a file of %s is refused with what was found: %s', async (format, _what, content, message) => {
    expect(await outcomeOf(format, content)).toMatch(message)
  })
})

describe('small files that would use much memory', () => {
  test('an XML file whose document type has entities is refused', async () => {
    const laughs = '<!DOCTYPE Register [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><Register>&b;</Register>'
    expect(await outcomeOf('xml', laughs)).toMatch(/has a document type, which is not accepted/)
  })

  test.each([
    ['elements in elements', `<Register>${'<a>'.repeat(1_000)}`, /nests its elements deeper than 64/],
    [
      'a comment without end',
      `<Register><!--${'x'.repeat(3_000_000)}`,
      /more than 1048576 characters without a tag/,
    ],
    [
      'a row without end',
      `<Register><Entries><Entry>${'<a>b</a>'.repeat(50_000)}`,
      /longer than 65536 characters/,
    ],
  ])('an XML file with %s is refused', async (_what, content, message) => {
    expect(await outcomeOf('xml', content)).toMatch(message)
  })

  test.each([
    ['elements in elements', '<table><tr><td>'.repeat(5_000), /nests its elements deeper than 256/],
    [
      'formatting elements reopened in each paragraph',
      `<p>${range(200)
        .map(id => `<b id=${id}>`)
        .join('')}${'</p><p>x'.repeat(20_000)}`,
      /more than 500000 elements|deeper than 256/,
    ],
    [
      'a cell over very many columns',
      '<table><tr><td colspan=99999>Permit holder',
      /exceeds the limit|expected the columns/,
    ],
    [
      'a cell without end',
      `<table><tr><td>Permit holder<td>Permit no.<td>Granted<td>State<td>Sites<tr><td>${'x'.repeat(70_000)}`,
      /the row at line 1 is longer than 65536 characters/,
    ],
    [
      'a tag of very many attributes',
      `<table ${range(200_000)
        .map(id => `a${id}`)
        .join(' ')}><tr><td>x`,
      /expected the columns/,
    ],
  ])('an HTML page with %s is refused', async (_what, content, message) => {
    expect(await outcomeOf('html', content)).toMatch(message)
  })

  test('wrongly nested formatting in HTML does not count as depth', async () => {
    const misnested = '<p><b><i>x</b></i></p>'.repeat(2_000)
    const page = fixtureText('kahnawake-holders.html.txt').replace('<body>', `<body>${misnested}`)
    expect(await outcomeOf('html', page)).toBe('read')
  })

  test.each([
    ['csv', `Mrežna adresa;"${'x'.repeat(70_000)}`],
    ['text', 'x'.repeat(70_000)],
  ] as const)('a %s file with an endless line is refused', async (format, content) => {
    expect(await outcomeOf(format, content)).toMatch(/longer than 65536|is not a table/)
  })

  test('a JSON file of nested brackets is refused', async () => {
    expect(
      await outcomeOf('json', `{"data":{"licences":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}}`),
    ).toMatch(/expected the members/)
  })
})

test('a line pattern with catastrophic backtracking is stopped', async () => {
  const description = descriptionOf('text')
    .replace(/pattern: .*/, "pattern: '(?<site>(?:a+)+)\\.'")
    .replace(/ {2}remark:.*\n/, '')
  const lines = `\n\n${'a'.repeat(60)}\n`
  await expect(read(description, lines)).rejects.toThrow(
    '"file": the pattern of this register cannot read the lines 3 to 3: it took longer than 2000 ms',
  )
})

test('a line longer than the pattern limit is rejected', async () => {
  const { misshapen } = await read(
    descriptionOf('text'),
    `\n\n1. ${'a'.repeat(5_000)}.example\n1. lucky-otter.example\n`,
  )
  expect(misshapen).toEqual([expect.stringMatching(/^3 1\. a{5}/)])
})

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}
