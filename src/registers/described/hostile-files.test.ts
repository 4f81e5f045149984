import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileOfBytes } from '../source/file-of-bytes.ts'
import { Refusal, type Stream } from '../stream.ts'
import { gather } from '../streams/fixture.ts'
import { described, fixtureBytes, fixtureText, packedZip, read, workbook, workbookParts } from './fixture.ts'
import { unpackedBytesMax, unzipParts, zipParts } from './workbook-parts.ts'

const registers = {
  csv: ['croatia-blocklist.yaml', fixtureBytes('croatia-blocklist.csv')],
  tsv: ['latvia-operators.yaml', fixtureBytes('latvia-operators.tsv')],
  xlsx: ['hungary-licences.yaml', workbook({ Remote: sheetRows() })],
  xml: ['bulgaria-blocklist.yaml', fixtureBytes('bulgaria-blocklist.xml')],
  json: ['isle-of-man-licences.yaml', fixtureBytes('isle-of-man-licences.json')],
  html: ['kahnawake-holders.yaml', fixtureBytes('kahnawake-holders.html.txt')],
  text: ['cyprus-blocklist.yaml', fixtureBytes('cyprus-blocklist.txt')],
} as const

function sheetRows(): string {
  const cell = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
  const row = (number: number, values: readonly string[]) =>
    `<row r="${number}">${values.map((value, index) => cell(`${'ABCD'[index]}${number}`, value)).join('')}</row>`
  const rows = Array.from({ length: 20 }, (_, index) =>
    row(index + 2, [`Otter ${index}`, `L-${index}`, '1.1.2024', `otter${index}.example`]),
  )
  return row(1, ['Holder', 'Number', 'Granted', 'Site']) + rows.join('')
}

const formats = Object.keys(registers) as (keyof typeof registers)[]
const descriptionOf = (format: keyof typeof registers) => fixtureText(registers[format][0])
const streams = new Map(formats.map(format => [format, described(descriptionOf(format))]))
const fileOf = (format: keyof typeof registers): Uint8Array => registers[format][1]

/** Returns `read`, or the message of a Refusal. Other errors are thrown. */
async function outcomeOf(format: keyof typeof registers, content: Uint8Array | string, pieceBytes = 65_536) {
  try {
    await gather((streams.get(format) as Stream).read([fileOfBytes('file', content, pieceBytes)]))
    return 'read'
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

test.each(formats)('the unchanged %s fixture is read', async format => {
  expect(await outcomeOf(format, fileOf(format))).toBe('read')
})

describe('any bytes are read or refused, without another error', () => {
  test.each(formats)('%s: random bytes', async format => {
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

  test.each(formats)('%s: a valid file with bytes changed, removed and inserted', async format => {
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
  })

  test('xlsx: changed parts in a valid archive', async () => {
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

describe('a truncated file is refused', () => {
  test.each([
    ['xml', /is not complete XML/],
    ['json', /is not complete JSON/],
    ['xlsx', /is not a complete zip archive|expected an xlsx workbook/],
  ] as const)('%s, at any length', async (format, message) => {
    const file = fileOf(format)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 70, max: file.length - 3 }), async end => {
        expect(await outcomeOf(format, file.subarray(0, end))).toMatch(message)
      }),
      { numRuns: 60 },
    )
  })

  test('a truncated sheet in a valid archive', async () => {
    const parts = workbookParts({ Remote: sheetRows() })
    const sheet = parts.get('xl/worksheets/sheet1.xml') as Buffer
    parts.set('xl/worksheets/sheet1.xml', sheet.subarray(0, sheet.length - 400))
    expect(await outcomeOf('xlsx', zipParts(parts))).toMatch(
      /"file": the part xl\/worksheets\/sheet1\.xml is not complete XML/,
    )
  })
})

describe('an unexpected file is refused with what was expected and found', () => {
  const page = '<!doctype html>\n<title>503</title>'
  test.each<[keyof typeof registers, string, Uint8Array | string, RegExp]>([
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
      /is not a readable xlsx workbook/,
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
  ])('%s: %s', async (format, _what, content, message) => {
    expect(await outcomeOf(format, content)).toMatch(message)
  })
})

describe('a workbook with bytes behind its end is refused:', () => {
  const whole = workbook({ Remote: sheetRows() })
  test.each([
    ['the same workbook again', Buffer.concat([whole, whole]), /two workbooks in one file/],
    ['another workbook', Buffer.concat([whole, workbook({ Halls: '' })]), /two workbooks|not a complete zip/],
    ['a line', Buffer.concat([whole, Buffer.from('\n')]), /is not a complete zip archive/],
    ['its own beginning', Buffer.concat([whole, whole.subarray(0, 900)]), /is not a complete zip archive/],
  ])('%s', async (_what, content, message) => {
    expect(await outcomeOf('xlsx', content)).toMatch(message)
  })
})

describe('a small file cannot use much memory', () => {
  test('an archive that declares more than the limit is not unpacked', async () => {
    const bomb = packedZip('xl/worksheets/sheet1.xml', Buffer.from('<a/>'), {
      unpackedBytes: unpackedBytesMax + 1,
    })
    expect(await outcomeOf('xlsx', bomb)).toMatch(
      /unpacks to 134217729 bytes; at most 134217728 are accepted/,
    )
  })

  test('a part is unpacked no further than its declared size', async () => {
    const zeros = Buffer.alloc(50 * 1024 * 1024, ' ')
    const bomb = packedZip('xl/workbook.xml', zeros, { unpackedBytes: 1_000 })
    expect(bomb.length).toBeLessThan(100_000)
    expect(await outcomeOf('xlsx', bomb)).toMatch(/has a broken part, xl\/workbook\.xml/)
  })

  test('a part with a wrong checksum is refused', async () => {
    const part = Buffer.from('<workbook/>')
    expect((await unzipParts('file', packedZip('a.xml', part))).get('a.xml')).toEqual(part)
    await expect(unzipParts('file', packedZip('a.xml', part, { crc: 7 }))).rejects.toThrow(/broken part/)
  })

  test.each([
    [
      'a cell at the other end of a sheet',
      '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
      /reaches to row 1048576 and column 16384/,
    ],
    [
      'a cell beyond it',
      '<row r="1"><c r="ZZZ1"><v>1</v></c></row>',
      /at "ZZZ1", which is outside of a sheet/,
    ],
    ['a row beyond it', '<row r="1000000000"><c r="A1"><v>1</v></c></row>', /at "1000000000"/],
    [
      'a place behind a prefix',
      '<row xmlns:y="u" r="1" y:r="900000000"><c r="A1"><v>1</v></c></row>',
      /at "900000000"/,
    ],
    [
      'a document type',
      '</sheetData></worksheet><!DOCTYPE a [<!ENTITY b "c">]>',
      /is not complete XML|document type/,
    ],
  ])('%s', async (_what, rows, message) => {
    expect(await outcomeOf('xlsx', workbook({ Remote: rows }))).toMatch(message)
  })

  test('entities of a document type', async () => {
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
  ])('xml: %s', async (_what, content, message) => {
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
  ])('html: %s', async (_what, content, message) => {
    expect(await outcomeOf('html', content)).toMatch(message)
  })

  test('html: wrongly nested formatting does not count as depth', async () => {
    const misnested = '<p><b><i>x</b></i></p>'.repeat(2_000)
    const page = fixtureText('kahnawake-holders.html.txt').replace('<body>', `<body>${misnested}`)
    expect(await outcomeOf('html', page)).toBe('read')
  })

  test.each([
    ['csv', `Mrežna adresa;"${'x'.repeat(70_000)}`],
    ['text', 'x'.repeat(70_000)],
  ] as const)('%s: an endless line', async (format, content) => {
    expect(await outcomeOf(format, content)).toMatch(/longer than 65536|is not a table/)
  })

  test('json: nested brackets', async () => {
    expect(
      await outcomeOf('json', `{"data":{"licences":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}}`),
    ).toMatch(/expected the members/)
  })
})

test('a pattern with catastrophic backtracking is stopped', async () => {
  const description = descriptionOf('text')
    .replace(/pattern: .*/, "pattern: '(?<site>(?:a+)+)\\.'")
    .replace(/ {2}remark:.*\n/, '')
    .replace(/ {4}listed_at:.*\n/, '')
    .replace('dates: true', 'dates: false')
  const lines = `\n\n${'a'.repeat(60)}\n`
  await expect(read(description, lines)).rejects.toThrow(
    '"file": the pattern of this register cannot read the lines 3 to 3: it took longer than 2000 ms',
  )
})

test('a line longer than the pattern limit is rejected', async () => {
  const { reject } = await read(
    descriptionOf('text'),
    `\n\n1. ${'a'.repeat(5_000)}.example\n1. lucky-otter.example\n`,
  )
  expect(reject.map(each => [each.line, each.reason])).toEqual([[3, 'unparsable']])
})

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}
