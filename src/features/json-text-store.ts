/** Pieces of JSON text as the database writes it, where an answer is sent as it writes it. */

/** A text, or null. */
export const textOrNull = (text: string) => `coalesce(to_json(${text}), 'null')`

/** A moment as JavaScript writes it, in quotes, or null. */
export const instantOrNull = (moment: string) =>
  `coalesce('"' || to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')`
