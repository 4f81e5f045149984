import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const input = fileURLToPath(new URL('../../clients/typescript/src/verify-receipt.ts', import.meta.url))

const header =
  '// Generated from clients/typescript/src/verify-receipt.ts by `npm run generate`; do not edit.'

/** Returns the client's check of receipts as JavaScript, which the page /verify runs in the browser. */
export async function drawVerifyReceipt(): Promise<string> {
  const { output } = await build({ input, write: false, output: { format: 'esm', comments: false } })
  return `${header}\n${output[0].code}`
}
