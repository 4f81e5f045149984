/** Identifiers of legal entities: their canonical form, or null if the text cannot be one. */

/** A Legal Entity Identifier of ISO 17442: 18 letters and digits, and two check digits (ISO 7064, mod 97-10). */
export function canonicalLei(text: string): string | null {
  const lei = text.replaceAll(/[\s-]/g, '').toUpperCase()
  if (!/^[0-9A-Z]{18}[0-9]{2}$/.test(lei)) return null
  let rest = 0
  for (const sign of lei)
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1 ? lei : null
}

/** Placeholders (`-`, `N/A`, `0`, `tbc`) are shorter, or have no digit from 1 to 9. */
export const companyNumberCharactersMin = 3

/** The letters and digits of a number in a company register: `C 109579` and `C-109579` are one. */
export function canonicalCompanyNumber(text: string): string | null {
  const number = text.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()
  return /[1-9]/.test(number) && number.length >= companyNumberCharactersMin ? number : null
}
