export { canonicalJson } from './canonical-json.ts'
export {
  type Evidence,
  type EvidenceRow,
  evidenceNow,
  evidenceText,
  evidenceThen,
  factsJson,
  readOfOneState,
  stateNow,
  streamsGiven,
} from './evidence-store.ts'
export { createFirstKey, currentKey, publicKeys } from './keys-store.ts'
export { receiptOf } from './receipt-of.ts'
export { rotateReceiptKey } from './rotate-key.ts'
export { receiptInput, receiptMember } from './schemas.ts'
export { receiptSigner } from './sign-receipt.ts'
