import { expect, test } from 'vitest'
import { findJsonFields } from './find-json-field.ts'
import { sheetUrl, workbookUrl } from './workbook-url.ts'

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
const find = (choice: Partial<Parameters<typeof findJsonFields>[1]>, text = JSON.stringify(document)) =>
  findJsonFields(
    { url, text, language: 'en' },
    { by: 'json_field', path: 'result/resources/*/url', ...choice },
  )

test('the file found in JSON is the first address at the path, made absolute', () => {
  expect(find({})).toEqual(['https://data.example/list-2026-10-01.pdf'])
  expect(find({ path: 'result/resources/1/url' })).toEqual(['https://data.example/list-2026-09-01.csv'])
})

test('the file found in JSON is the newest address that matches', () => {
  expect(find({ href: '\\.csv$', newest: 'latest_date' })).toEqual([
    'https://data.example/list-2026-10-01.csv',
  ])
})

test('all addresses at the path are the pages of a list, up to 200', () => {
  expect(find({ href: '\\.csv$', all: true })).toEqual([
    'https://data.example/list-2026-09-01.csv',
    'https://data.example/list-2026-10-01.csv',
  ])
  const many = JSON.stringify(Array.from({ length: 201 }, (_, index) => `/page-${index}`))
  expect(() => find({ path: '*', all: true }, many)).toThrow(/has 201 addresses .*at most 200/)
  expect(() => find({ path: 'result/files/*/url', all: true })).toThrow(/no address/)
})

test('each value at the path is put into the given address', () => {
  const holders = JSON.stringify({ holders: [{ id: 'A1' }, { id: 'b 2&x=/' }, { id: 'A1' }] })
  const address = 'https://data.example/licenses?holder={value}'
  expect(find({ path: 'holders/*/id', all: true, address }, holders)).toEqual([
    'https://data.example/licenses?holder=A1',
    'https://data.example/licenses?holder=b%202%26x%3D%2F',
  ])
})

test.each([
  [{ path: 'result/files/*/url' }, undefined, /no address at result\/files.*0 texts there.*changed/],
  [{ href: '\\.xlsx$' }, undefined, /no address that matches/],
  [{}, '<html>', /is not JSON; it begins with "<html>"/],
  [{ path: '__proto__/url' }, undefined, /no address/],
])('a JSON document without the address is refused with the reason: %j', (choice, text, reason) => {
  expect(() => find(choice, text)).toThrow(reason)
})

test('a sheet of an online spreadsheet is fetched as CSV, and the whole as XLSX', () => {
  const origin = 'https://docs.example/spreadsheets/d'
  expect(sheetUrl(`${origin}/1AbC-x_9/edit#gid=0`, 7)).toBe(`${origin}/1AbC-x_9/export?format=csv&gid=7`)
  expect(sheetUrl(`${origin}/e/2PACX-1v/pubhtml`, 7)).toBe(
    `${origin}/e/2PACX-1v/pub?output=csv&gid=7&single=true`,
  )
  expect(workbookUrl(`${origin}/e/2PACX-1v/pubhtml`)).toBe(`${origin}/e/2PACX-1v/pub?output=xlsx`)
  expect(() => sheetUrl('https://docs.example/list', 0)).toThrow(/is not the address of a spreadsheet/)
})
