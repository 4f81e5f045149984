/** Registers that a description suffices for (docs/describing-a-register.md): a folder each, or an object in code. */
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Description } from '../../described/description-schema.ts'
import { switzerlandEsbk } from './switzerland-esbk.ts'

/** `<stream>/description.yaml`, which a test reads as `register describe` does. */
export const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(entry => entry.name)

export const descriptionText = (folder: string) =>
  readFileSync(new URL(`${folder}/description.yaml`, import.meta.url), 'utf8')

export const marketDescriptions: readonly Description[] = [
  switzerlandEsbk,
  ...folders.map((folder): Description => parse(descriptionText(folder))),
]
