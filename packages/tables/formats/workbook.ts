/** Opens a workbook and reads its list of sheets, its shared texts and its number formats. */
import { posix } from 'node:path'
import { getFormatFromId } from 'numfmt'
import type { SourceFile } from '../source/source-file.ts'
import { NumberFormats } from './number-format.ts'
import { isOn, localName, readWholePart, unescaped } from './workbook-xml.ts'
import { workbookKind, ZipArchive } from './zip-archive.ts'

/** Limits the shared texts. The largest known register has 40,000. */
const sharedTextsMax = 500_000
const sharedCharactersMax = 16 * 1024 * 1024
/** Limits the styles. Spreadsheet programs allow 64,000. */
const stylesMax = 65_536
const formatCharactersMax = 255

export type Sheet = { name: string; isHidden: boolean; part: string }

export type Workbook = {
  archive: ZipArchive
  sheets: readonly Sheet[]
  sharedTexts: readonly string[]
  numbers: NumberFormats
}

export async function openWorkbook(file: SourceFile): Promise<Workbook> {
  const archive = await ZipArchive.open(file, workbookKind)
  const root = [...(await readRelations(archive, '')).values()].find(isOf('officeDocument'))
  const main = root?.part ?? 'xl/workbook.xml'
  if (!archive.has(main)) archive.refuse('is an archive of something else, and not an xlsx workbook')
  const relations = await readRelations(archive, main)
  const { sheets, is1904 } = await readSheets(archive, main, relations)
  const partOf = (type: string) => [...relations.values()].find(isOf(type))?.part
  const sharedTexts = await readSharedTexts(archive, partOf('sharedStrings'))
  const codes = await readFormatCodes(archive, partOf('styles'))
  const numbers = new NumberFormats(codes, is1904, problem => archive.refuse(problem))
  return { archive, sheets, sharedTexts, numbers }
}

type Relation = { type: string; part: string }
type Relations = ReadonlyMap<string, Relation>

const isOf = (type: string) => (relation: Relation) => relation.type.endsWith(`/${type}`)

/** Reads the references of a part to others, by id. The part '' is the archive itself. */
async function readRelations(archive: ZipArchive, part: string): Promise<Relations> {
  const relations = new Map<string, Relation>()
  const folder = posix.dirname(part)
  const file = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  if (!archive.has(file)) return relations
  await readWholePart(archive, file, {
    open(name, { Id = '', Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
      relations.set(Id, { type: Type, part: target })
    },
  })
  return relations
}

async function readSheets(
  archive: ZipArchive,
  main: string,
  relations: Relations,
): Promise<{ sheets: Sheet[]; is1904: boolean }> {
  const sheets: Sheet[] = []
  let is1904 = false
  await readWholePart(archive, main, {
    open(element, attributes, around) {
      if (element === 'workbookPr') is1904 = isOn(attributes.date1904)
      if (element !== 'sheet' || around.at(-2) !== 'sheets') return
      const [, id = ''] = Object.entries(attributes).find(([name]) => localName(name) === 'id') ?? []
      const relation = relations.get(id)
      // A sheet that is a chart has no rows.
      if (relation === undefined || !isOf('worksheet')(relation)) return
      const { name = '', state = 'visible' } = attributes
      sheets.push({ name, isHidden: state !== 'visible', part: relation.part })
    },
  })
  return { sheets, is1904 }
}

async function readSharedTexts(archive: ZipArchive, part: string | undefined): Promise<string[]> {
  const texts: string[] = []
  if (part === undefined || !archive.has(part)) return texts
  let text = ''
  let characters = 0
  await readWholePart(archive, part, {
    text(content, around) {
      if (!isShown(around)) return
      text += content
      characters += content.length
      if (characters > sharedCharactersMax)
        archive.refuse(`has more than ${sharedCharactersMax} characters of shared texts`)
    },
    close(name) {
      if (name !== 'si') return
      texts.push(unescaped(text))
      text = ''
      if (texts.length > sharedTextsMax) archive.refuse(`has more than ${sharedTextsMax} shared texts`)
    },
  })
  return texts
}

/** Checks that a text is the content of a cell, and not its pronunciation. */
export const isShown = (around: readonly string[]) => around.at(-1) === 't' && !around.includes('rPh')

/** Reads the format code of each style. */
async function readFormatCodes(archive: ZipArchive, part: string | undefined): Promise<string[]> {
  const custom = new Map<number, string>()
  const ids: number[] = []
  if (part === undefined || !archive.has(part)) return []
  await readWholePart(archive, part, {
    open(name, { numFmtId = '0', formatCode = '' }, around) {
      const id = Number(numFmtId)
      const parent = around.at(-2)
      if (name === 'numFmt' && parent === 'numFmts' && formatCode.length <= formatCharactersMax)
        custom.set(id, formatCode)
      if (name === 'xf' && parent === 'cellXfs') ids.push(id)
      if (ids.length > stylesMax) archive.refuse(`has more than ${stylesMax} styles`)
    },
  })
  return ids.map(id => custom.get(id) ?? getFormatFromId(id))
}
