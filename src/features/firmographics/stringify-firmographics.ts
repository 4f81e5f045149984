import build from 'fast-json-stringify'
import { Type } from 'typebox'
import { type FirmographicsResult, firmographicsResult } from './schemas.ts'

const write = build(Type.Array(firmographicsResult) as unknown as build.AnySchema)

/** Omits members that the schema does not declare. */
export function stringifyFirmographics(results: readonly FirmographicsResult[]): string {
  return write(results)
}
