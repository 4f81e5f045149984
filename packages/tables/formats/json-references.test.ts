import { describe, expect, test } from 'vitest'
import { problemsOf, read } from '../test/read.ts'

describe('JSON whose values refer to each other', () => {
  const payload = {
    file: { format: 'json', script: 'data', references: true, rows_at: 'table/rows' },
    columns: {
      holder: { headers: ['cells/text'], pattern: String.raw`(?<![^])(?<value>[^<\n]+)` },
      site: { headers: ['cells/text'], pattern: 'href="(?<value>[^"]+)"' },
    },
  }
  const page = (...values: unknown[]) =>
    `<!doctype html><script id="data" type="application/json">${JSON.stringify(values)}</script>`
  const link = '<a href="https://otter.example/">otter.example</a>'

  test('each index is read as its value, also behind marks of observed values', async () => {
    const values = [
      { data: 1 },
      ['Reactive', 2],
      { table: 3 },
      { rows: 4 },
      [5, 9],
      [6, 7],
      { cells: 8 },
      { cells: 12 },
      [10],
      [6, 13],
      { text: 11 },
      'Otter Ltd',
      [14],
      { cells: 16 },
      { text: 15 },
      link,
      [-1],
    ]
    const list = await read(payload, page(...values))
    expect(list.rows).toEqual([
      { holder: 'Otter Ltd', site: 'https://otter.example/' },
      { holder: 'Otter Ltd', site: '' },
    ])
  })

  test('values that refer to themselves, or to no rows, are refused', async () => {
    await expect(read(payload, page({ table: 1 }, { rows: 2 }, [3], [3, 3]))).rejects.toThrow(
      'row 1 refers to more values than a row can have',
    )
    await expect(read(payload, page({ table: 1 }, { heads: 2 }, []))).rejects.toThrow(
      'expected rows at table/rows, found none',
    )
  })

  test('values that refer to each other need a path to their rows', () => {
    const { rows_at: _, ...file } = payload.file
    expect(problemsOf({ ...payload, file })).toEqual([
      expect.stringContaining('file.references needs file.rows_at'),
    ])
  })
})
