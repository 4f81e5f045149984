import { readXlsxRows } from '../../described/read-xlsx.ts'
import { openingOf } from '../../source/first-character.ts'
import { unusable } from '../../source/readings.ts'
import { readJsonRecords } from '../../source/source-json.ts'
import { readTable, rowsBelowHeader, type TableRow } from '../../source/source-table.ts'
import type { Notice, Reject, SourceFile } from '../../stream.ts'

export type BrandLine = {
  line: number
  requirement: string
  company: string
  cnpj: string
  ordinance: string
  brand: string
  domain: string
}

/** `printed`: only the first row of a block names the company. `copied`: every row does. */
export type BrandList = { form: 'printed' | 'copied'; lines: BrandLine[]; reports: (Reject | Notice)[] }

const spreadsheet = {
  ordinance: { names: ['Portaria de autorização'], optional: true },
  company: { names: ['Denominação social da empresa', 'Denominação social'] },
  cnpj: { names: ['CNPJ'] },
  brand: { names: ['Marcas', 'Marca'] },
  domain: { names: ['Domínios', 'Domínio'] },
  requirement: { names: ['Número e ano do requerimento'] },
} as const

const mirror = {
  requirement: { names: ['requirement_number_year'] },
  company: { names: ['fiscal_name'] },
  cnpj: { names: ['document'] },
  ordinance: { names: ['ordinance'], optional: true },
  brand: { names: ['brand'] },
  domain: { names: ['domain'] },
} as const

type Field = keyof typeof spreadsheet

export async function readBrandLines(file: SourceFile): Promise<BrandList> {
  const opening = await openingOf(file, 2)
  const form = /^[[{]/.test(opening) ? 'copied' : 'printed'
  const list: BrandList = { form, lines: [], reports: [] }
  for await (const row of rowsOf(file, opening)) {
    if (row.kind === 'row') list.lines.push({ line: row.line, ...trimmed(row.cells) })
    else list.reports.push(unusable(row))
  }
  return list
}

/** The regulator's sheet as CSV or workbook, or a mirror's JSON. */
function rowsOf(file: SourceFile, opening: string): AsyncGenerator<TableRow<Field>, void> {
  if (/^[[{]/.test(opening)) return rowsBelowHeader(file.name, readJsonRecords(file), mirror)
  if (opening === 'PK') return readXlsxRows(file, { format: 'xlsx' }, spreadsheet)
  return readTable(file, { encoding: 'utf-8', delimiter: ';' }, spreadsheet)
}

function trimmed(cells: Record<Field, string>): Record<Field, string> {
  const plain = (name: Field) => cells[name].trim().replaceAll(/\s+/g, ' ')
  return {
    requirement: plain('requirement'),
    company: plain('company'),
    cnpj: plain('cnpj'),
    ordinance: plain('ordinance'),
    brand: plain('brand'),
    domain: plain('domain'),
  }
}
