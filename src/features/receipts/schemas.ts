import { Type } from 'typebox'

export const receiptInput = Type.Boolean({
  description:
    'Whether `receipt` has a signed statement of this answer, which anybody can verify with the keys in ' +
    '`/.well-known/jwks.json`. Free.',
})

export const receiptMember = Type.String({
  description:
    'A compact JWS (RFC 7515, EdDSA) with the request, the SHA-256 of `data` without this member in the ' +
    'form of RFC 8785, and the evidence. Its key is in `/.well-known/jwks.json`. Present if it ' +
    'was asked for.',
})
