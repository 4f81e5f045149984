import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvText } from './csv-cell.ts'

const hostile = [
  '=1+1',
  '+49 30 1',
  '-2',
  '@sum(A1)',
  '\t=1',
  '\r=1',
  '＝1',
  '=HYPERLINK("http://a.example","b")',
]

test('rows end with CRLF, and cells are quoted where they must be', () => {
  expect(csvText([['a', 'b,c', 'd"e', 'f\ng', 7, null, '', ' h ']])).toBe('a,"b,c","d""e","f\ng",7,,, h \r\n')
  expect(csvText([])).toBe('')
})

test('a parser reads what was written, whatever it is', () => {
  const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hostile, '\r\n', '"', ',', '\n'))
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 }), rows => {
      const width = rows[0]?.length ?? 0
      const even = rows.map(row => Array.from({ length: width }, (_, index) => row[index] ?? ''))
      expect(parse(csvText(even))).toEqual(even)
    }),
  )
})

test.each(hostile)('%j is exact for parsers, and quoted', cell => {
  const text = csvText([[cell, 'x']])
  expect(text).toMatch(/^"/)
  expect(parse(text)).toEqual([[cell, 'x']])
})

test.each(hostile)('%j is no formula where a spreadsheet is asked for', cell => {
  const text = csvText([[cell, 'x']], { forSpreadsheet: true })
  expect(parse(text)).toEqual([[`'${cell}`, 'x']])
})

test.each([false, true])(
  'numbers and harmless cells are as they are, negative ones too (forSpreadsheet %j)',
  forSpreadsheet => {
    const rows = [
      [-5, 0, -0.5, -1e21, 'a=b', 'x-1', null, 'Łódź 賭'],
      ['-5', -7, '+1', 7, 'x', 'y', null, 'z'],
    ]
    const [numbers, texts] = csvText(rows, { forSpreadsheet }).split('\r\n')
    expect(numbers).toBe('-5,0,-0.5,-1e+21,a=b,x-1,,Łódź 賭')
    expect(texts).toBe(forSpreadsheet ? `"'-5",-7,"'+1",7,x,y,,z` : '"-5",-7,"+1",7,x,y,,z')
  },
)
