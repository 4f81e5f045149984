/** Shapes that fields of several kinds share. `shape` is their name in the documentation. */
import { type Static, type TSchema, Type } from 'typebox'
import { choice, list, named, object, textSchema } from './schema-parts.ts'

export const dateForms = [
  'd.m.yyyy',
  'd/m/yyyy',
  'm/d/yyyy',
  'd-m-yyyy',
  'yyyy.m.d',
  'd month yyyy',
  'iso',
  'prose',
  'local',
] as const
export type DateForm = (typeof dateForms)[number]

const wordsMax = 500

export const columnName = () => textSchema('the name of a column in "columns"')
export const columnNames = () => list(columnName(), 'a list of names of columns in "columns"')

export const textField = () =>
  object(
    {
      column: Type.Optional(columnName()),
      constant: Type.Optional(textSchema('text; put a number in quotes')),
    },
    { shape: 'text field' },
  )

export const wordField = <Value extends TSchema>(value: Value) =>
  object(
    {
      column: Type.Optional(columnName()),
      words: Type.Optional(named(value, wordsMax, 'published words, each with its meaning')),
      constant: Type.Optional(value),
    },
    { shape: 'word field' },
  )

export const listField = () =>
  object(
    {
      column: columnName(),
      split: Type.Optional(
        list(
          Type.String({ minLength: 1, maxLength: 20, accepts: 'a separator in quotes' }),
          'a list of separators in quotes',
        ),
      ),
    },
    { shape: 'list field' },
  )

export const dateField = () =>
  object(
    {
      column: columnName(),
      date_forms: list(choice(dateForms), `a list of ${dateForms.join(', ')}`),
      time_zone: Type.Optional(textSchema('a time zone such as Europe/Warsaw')),
    },
    { shape: 'date field' },
  )

export const condition = () =>
  object(
    {
      column: columnName(),
      words: list(textSchema('a published word; put a number in quotes'), 'a list of published words'),
    },
    { shape: 'condition' },
  )

export type TextField = Static<ReturnType<typeof textField>>
export type WordField = { column?: string; words?: Record<string, string>; constant?: string }
export type ListField = Static<ReturnType<typeof listField>>
export type DateField = Static<ReturnType<typeof dateField>>
export type RowCondition = Static<ReturnType<typeof condition>>
