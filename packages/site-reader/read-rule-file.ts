import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'

/** Reads one file of the folder `rules`. Rules are part of the program, so an error stops the start. */
export const readRuleFile = <Content>(name: string): Content =>
  load(readFileSync(new URL(`rules/${name}.yaml`, import.meta.url), 'utf8')) as Content
