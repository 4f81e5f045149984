import { Unresolved } from './unresolved.ts'

/** Returns the address of one sheet of an online spreadsheet as CSV. */
export function sheetUrl(address: string, gid: number): string {
  const { base, isPublished } = spreadsheetAt(address)
  return `${base}/${isPublished ? `pub?output=csv&gid=${gid}&single=true` : `export?format=csv&gid=${gid}`}`
}

/** Returns the address of an online spreadsheet as XLSX, with all its sheets. */
export function workbookUrl(address: string): string {
  const { base, isPublished } = spreadsheetAt(address)
  return `${base}/${isPublished ? 'pub?output=xlsx' : 'export?format=xlsx'}`
}

function spreadsheetAt(address: string): { base: string; isPublished: boolean } {
  const url = new URL(address)
  const [, published = '', id] = /\/spreadsheets\/d\/(e\/)?([\w-]+)/.exec(url.pathname) ?? []
  if (id === undefined)
    throw new Unresolved(`${address} is not the address of a spreadsheet (…/spreadsheets/d/ID/…)`)
  return { base: `${url.origin}/spreadsheets/d/${published}${id}`, isPublished: published !== '' }
}
