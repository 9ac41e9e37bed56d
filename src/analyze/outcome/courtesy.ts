/** Detects sentences without content, such as greetings, thanks, offers and review verdicts. */

const COURTESY =
  /^(?:(?:oh|ah|ok|okay|hmm+|well|and|so|yes|yeah|yep|no|nope|right|sure|alright|all right)[,.!:;\s–—-]+)*(?:right|pushed|done|fixed|committed|merged|perfect|great|excellent|nice|cool|awesome|good (?:catch|question|point|idea|call|find|eye|morning|evening)|great (?:catch|question|point|idea)|fair (?:enough|point)|makes sense|sounds good|looks good|lgtm|no worries|no problem|you(?:['’]re| are)(?: absolutely| completely| totally)? (?:right|welcome|correct)|of course|certainly|absolutely|got it|understood|i see|i understand|thank(?:s| you)|sorry|apologies|my apologies|happy to help|glad (?:to|that|it)|hello|hi|hey|welcome|good|yes|no|ok|okay|sure|exactly|correct|agreed|all (?:done|good|set)|ready|(?:both|all) (?:done|pushed|fixed|green|pass(?:ed|ing)?)|tests? pass(?:ed|ing)?|(?:all )?(?:clean|green)|here(?:['’]s| is| are)|there (?:we|you) go|let me know|feel free)\b[^.!?:]{0,24}[.!?:…]*$/i
const VERDICT =
  /^(?:\W*(?:overall|final|review)?\s*(?:verdict|recommendation|rating|assessment|status|severity|confidence|score|approved?|lgtm|ship it)\b\W{0,4}(?:[:–—-]|$|(?:approve|reject|request|ready|pass|fail|good))|(?:approve|approved|request changes|changes requested|needs work|looks good to me)\W*$|[✅✓✔☑❌✗🎉👍🚀]\W*\w{0,20}\W*$)/iu
const ANNOUNCES =
  /^(?:(?:ok|okay|now|first|next|then|so|good|great|perfect|right|sure|alright)[,.!:;\s–—-]+)*(?:let me\b|let['’]s (?:see|check|look|start|run|verify|first|now)\b|i(?:['’]ll| will|['’]m going to| am going to| need to| should| want to| can(?: also)?)\b(?! not\b)|now i\b|i(?:['’]m| am) (?:ready|now|currently|\w+ing)\b|starting\b|checking\b|looking (?:at|into)\b|running\b|waiting\b|next,? i\b)/i
const OFFERS =
  /^(?:(?:if|or) you\b|would you\b|want me\b|do you want\b|should (?:i|we)\b|shall (?:i|we)\b|let me know\b|feel free\b|please (?:let|tell|confirm|review|share|provide)\b|what would you\b|which (?:one|option|approach|would)\b|ready to\b|is there anything\b|anything else\b|how would you\b|happy to\b)|\?["')”’*]*$/i
const BOILERPLATE =
  /^(?:base directory for this skill|this session is being continued|\[request interrupted|operation stopped by hook|caveat: the messages|no response requested|api error|\/[a-z][\w:-]+(?:\s|$)|<[a-z-]+>|implement the following plan|unknown (?:skill|slash command)|(?:compacted|set model)\b|i(?:['’]m| am) (?:claude|an ai|your)|you(?:['’]re| are) (?:an?|the) (?:expert|senior|ai|assistant|helpful)|co-authored-by|generated with|🤖)/iu

export function isEmptyTalk(sentence: string): boolean {
  const text = sentence.trim()
  return COURTESY.test(text) || VERDICT.test(text) || ANNOUNCES.test(text) || OFFERS.test(text) || BOILERPLATE.test(text)
}

export function isCourtesy(sentence: string): boolean {
  const text = sentence.trim()
  return COURTESY.test(text) || VERDICT.test(text) || BOILERPLATE.test(text)
}
