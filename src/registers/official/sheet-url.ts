import { Unresolved } from './unresolved.ts'

/** The address of one sheet of an online spreadsheet as CSV. */
export function sheetUrl(address: string, gid: number): string {
  const url = new URL(address)
  const [, published, id] = /\/spreadsheets\/d\/(e\/)?([\w-]+)/.exec(url.pathname) ?? []
  if (id === undefined)
    throw new Unresolved(`${address} is not the address of a spreadsheet (…/spreadsheets/d/ID/…)`)
  const query =
    published === undefined ? `export?format=csv&gid=${gid}` : `pub?output=csv&gid=${gid}&single=true`
  return `${url.origin}/spreadsheets/d/${published ?? ''}${id}/${query}`
}
