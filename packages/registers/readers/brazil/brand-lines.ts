import { openingOf, readTable, type SourceFile, type TableReading } from '@baize/tables'
import { unusable } from '../../entries/readings.ts'
import type { Notice, Reject } from '../../stream.ts'

export type BrandLine = {
  line: number
  requirement: string
  company: string
  cnpj: string
  ordinance: string
  brand: string
  domain: string
}

/** In a `printed` list only the first row of a block names the company; in a `copied` list every row does. */
export type BrandList = { form: 'printed' | 'copied'; lines: BrandLine[]; reports: (Reject | Notice)[] }

const spreadsheet = {
  ordinance: { headers: ['Portaria de autorização'], optional: true },
  company: { headers: ['Denominação social da empresa', 'Denominação social'] },
  cnpj: { headers: ['CNPJ'] },
  brand: { headers: ['Marcas', 'Marca'] },
  domain: { headers: ['Domínios', 'Domínio'] },
  requirement: { headers: ['Número e ano do requerimento'] },
}

const mirror = {
  requirement: { headers: ['requirement_number_year'] },
  company: { headers: ['fiscal_name'] },
  cnpj: { headers: ['document'] },
  ordinance: { headers: ['ordinance'], optional: true },
  brand: { headers: ['brand'] },
  domain: { headers: ['domain'] },
}

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

/** Reads the regulator's sheet as CSV or workbook, or a mirror's JSON. */
function rowsOf(file: SourceFile, opening: string): AsyncGenerator<TableReading<Field>, void> {
  if (/^[[{]/.test(opening)) return readTable([file], { file: { format: 'json' }, columns: mirror })
  if (opening === 'PK') return readTable([file], { file: { format: 'xlsx' }, columns: spreadsheet })
  return readTable([file], { file: { format: 'csv', delimiter: 'semicolon' }, columns: spreadsheet })
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
