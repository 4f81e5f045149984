import build from 'fast-json-stringify'
import { Type } from 'typebox'
import { type FirmographicsResult, firmographicsResult } from './schemas.ts'

const write = build(Type.Array(firmographicsResult) as unknown as build.AnySchema)

/** The results as the JSON text that is sent: what the schema does not declare is left out. */
export function stringifyFirmographics(results: readonly FirmographicsResult[]): string {
  return write(results)
}
