import { expect, test } from 'vitest'
import { findJsonField } from './find-json-field.ts'
import { sheetUrl } from './sheet-url.ts'

const url = 'https://data.example/api/package?id=list'
const document = {
  result: {
    resources: [
      { name: 'PDF', url: 'https://data.example/list-2026-10-01.pdf' },
      { name: 'CSV', url: '/list-2026-09-01.csv' },
      { name: 'CSV', url: '/list-2026-10-01.csv' },
      { name: 'none' },
    ],
  },
}
const find = (choice: Partial<Parameters<typeof findJsonField>[1]>, text = JSON.stringify(document)) =>
  findJsonField(
    { url, text, language: 'en' },
    { by: 'json_field', path: 'result/resources/*/url', ...choice },
  )

test('the file is the first address at the path, made absolute', () => {
  expect(find({})).toBe('https://data.example/list-2026-10-01.pdf')
  expect(find({ path: 'result/resources/1/url' })).toBe('https://data.example/list-2026-09-01.csv')
})

test('the file is the newest address that matches', () => {
  expect(find({ href: '\\.csv$', newest: 'latest_date' })).toBe('https://data.example/list-2026-10-01.csv')
})

test.each([
  [{ path: 'result/files/*/url' }, undefined, /no address at result\/files.*0 texts there.*changed/],
  [{ href: '\\.xlsx$' }, undefined, /no address that matches/],
  [{}, '<html>', /is not JSON; it begins with "<html>"/],
  [{ path: '__proto__/url' }, undefined, /no address/],
])('a document without it is refused with the reason: %j', (choice, text, reason) => {
  expect(() => find(choice, text)).toThrow(reason)
})

test('a sheet of an online spreadsheet is its CSV', () => {
  const origin = 'https://docs.example/spreadsheets/d'
  expect(sheetUrl(`${origin}/1AbC-x_9/edit#gid=0`, 7)).toBe(`${origin}/1AbC-x_9/export?format=csv&gid=7`)
  expect(sheetUrl(`${origin}/e/2PACX-1v/pubhtml`, 7)).toBe(
    `${origin}/e/2PACX-1v/pub?output=csv&gid=7&single=true`,
  )
  expect(() => sheetUrl('https://docs.example/list', 0)).toThrow(/is not the address of a spreadsheet/)
})
