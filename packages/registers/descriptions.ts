/**
 * Reads `descriptions/<stream>.yaml`: the facts of each register and, unless code reads them, the form of
 * its files.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { CodedRegister, Description } from './description/description-schema.ts'
import { readDataFile } from './read-data-file.ts'

const folder = new URL('descriptions/', import.meta.url)

export const registerKeys = readdirSync(folder)
  .map(name => name.replace('.yaml', ''))
  .toSorted()

const fileOf = (key: string) => new URL(`${key}.yaml`, folder)

/** Returns the text of a description, which a test reads as `register describe` does. */
export const descriptionText = (key: string) => readFileSync(fileOf(key), 'utf8')

export const descriptions = registerKeys.map(key => readDataFile<Description | CodedRegister>(fileOf(key)))
