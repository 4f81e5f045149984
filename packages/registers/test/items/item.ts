import type { CodedRegister, Description } from '../../description/description-schema.ts'

export type Register = Description | CodedRegister
export type Form = Partial<Pick<Description, 'file' | 'columns' | 'row_for_each'>>

/** An item of a file: its cells, lines and addresses of links. `list` begins the table of a page that it is in. */
export type Item = { texts: readonly string[]; list?: string }

/** Folds a text, because case, white space and letters without a width do not distinguish items. */
export const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
