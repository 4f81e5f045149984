export { canonicalJson } from './canonical-json.ts'
export { createFirstKey, publicKeys } from './keys-store.ts'
export { rotateReceiptKey } from './rotate-key.ts'
