/**
 * "Continue", "go on", "keep going" and nothing more. A first prompt of this kind asks where the work stands. Imports nothing: part of the
 * hook gate.
 */
const GOES_ON =
  /^(?:(?:ok(?:ay)?|so|and|yes|hi|hey|hello|please|pls|now|then|claude|codex|great|good)[\s,.!:–-]+)*(?:let'?s |let us |we |you )?(?:can )?(?:please )?(?:continue|resume|proceed|carry on|go on|keep (?:going|on|working)|pick (?:it |this )?(?:back )?up|next|weiter)(?: (?:with )?(?:the |our |my |your )?(?:work(?:ing)?|session|task|it|this|that))?(?: (?:here|now|again|then))?(?:[\s,]+(?:please|pls|thanks|claude))*[\s.!…]*$/i
const LONGEST = 100

export function goesOn(prompt: string): boolean {
  const text = prompt.trim()
  return text.length <= LONGEST && GOES_ON.test(text.replace(/[’‘]/g, "'").replace(/\s+/g, ' '))
}
