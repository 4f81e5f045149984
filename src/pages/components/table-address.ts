/** Which rows of a page's table an address chooses, and in which order. */
export type TableAddress = {
  /** The path of the page. */
  path: string
  /** The parameters of the page itself. */
  others: readonly (readonly [name: string, text: string])[]
  /** The id of the page's first table. */
  first: string | null
  /** The table that the other members concern; null: the first. */
  table: string | null
  /** The column that sorts, descending after a minus. */
  sort: string | null
  /** The chosen values by column, such as `state:live`. */
  where: readonly string[]
}

/** The parameters of an address that concern a table. Operations never read them. */
export const tableParameters = ['table', 'sort', 'where']

export function tableAddress(path: string, query: URLSearchParams, first: string | null): TableAddress {
  return {
    path,
    first,
    others: [...query].filter(([name, text]) => !tableParameters.includes(name) && text !== ''),
    table: query.get('table'),
    sort: query.get('sort'),
    where: query.getAll('where'),
  }
}

/** Returns the links to the next page of a list, whose address has the cursor, and to the first page. */
export function cursorPages(
  { path, others }: TableAddress,
  parameter: string,
  cursor: string | number | null,
) {
  const kept = others.filter(([name]) => name !== parameter)
  const link = (query: typeof others) => {
    const text = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
    return text === '' ? path : `${path}?${text}`
  }
  return {
    after: cursor === null ? null : link([...kept, [parameter, String(cursor)]]),
    before: kept.length === others.length ? null : link(kept),
  }
}

type Chosen = Partial<Pick<TableAddress, 'table' | 'sort' | 'where'>>

/** Writes the address with other choices. `ending` is that of a file. */
export function tableLink(address: TableAddress, chosen: Chosen, ending = ''): string {
  const { table, sort, where } = { ...address, ...chosen }
  const query = new URLSearchParams([
    ...address.others.map(([name, text]): [string, string] => [name, text]),
    ...(table === null ? [] : [['table', table] as [string, string]]),
    ...(sort === null ? [] : [['sort', sort] as [string, string]]),
    ...where.map((each): [string, string] => ['where', each]),
  ]).toString()
  return `${address.path}${ending}${query === '' ? '' : `?${query}`}`
}
