import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'

/**
 * Reads a YAML file of this package in a fifth of the time that `yaml` takes, whose places of errors only
 * descriptions of operators need.
 */
export const readDataFile = <Content>(file: URL): Content => load(readFileSync(file, 'utf8')) as Content
