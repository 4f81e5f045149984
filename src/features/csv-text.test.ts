import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvAttachment, csvText } from './csv-text.ts'

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

test('CSV rows end with CRLF, and cells are quoted where necessary', () => {
  expect(csvText([['a', 'b,c', 'd"e', 'f\ng', 7, null, '', ' h ']])).toBe('a,"b,c","d""e","f\ng",7,,, h \r\n')
  expect(csvText([])).toBe('')
})

test('a parser reads any written CSV values back exactly', () => {
  const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hostile, '\r\n', '"', ',', '\n'))
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 }), rows => {
      const width = rows[0]?.length ?? 0
      const even = rows.map(row => Array.from({ length: width }, (_, index) => row[index] ?? ''))
      expect(parse(csvText(even))).toEqual(even)
    }),
  )
})

test.each(hostile)('the cell %j is exact for parsers, and quoted', cell => {
  const text = csvText([[cell, 'x']])
  expect(text).toMatch(/^"/)
  expect(parse(text)).toEqual([[cell, 'x']])
})

test.each(hostile)('the cell %j is not a formula in a file for spreadsheets', cell => {
  const text = csvText([[cell, 'x']], { forSpreadsheet: true })
  expect(parse(text)).toEqual([[`'${cell}`, 'x']])
})

test.each([false, true])(
  'numbers and harmless cells are written unchanged, negative numbers too (forSpreadsheet %j)',
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

function streamOf(work: Parameters<typeof csvAttachment>[1]) {
  const { file } = csvAttachment('x.csv', work)
  if (!('stream' in file)) throw new Error('not streamed')
  return file.stream
}

test('a CSV file is written at the speed of its reader, and is complete', async () => {
  const row = `${'x'.repeat(9_999)}\n`
  let written = 0
  const stream = streamOf(async write => {
    for (; written < 100; written += 1) await write(row)
  })
  expect(written).toBeLessThan(10)
  expect(await text(stream)).toBe(row.repeat(100))
})

test('nothing more of a CSV file is written after the reader has disconnected', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const stream = streamOf(async write => {
    try {
      for (;;) await write('x'.repeat(10_000))
    } catch (error) {
      resolve(error)
      throw error
    }
  })
  stream.destroy()
  expect(await promise).toMatchObject({ name: 'AbortError' })
})

test('a CSV file breaks off if its rows cannot be read', async () => {
  const stream = streamOf(async write => {
    await write('a,b\n')
    throw new Error('the database is gone')
  })
  await expect(text(stream)).rejects.toThrow('the database is gone')
})
