;; A band of tiles: up to 16 rows of grey pixels made black and white, and what each tile of 32 pixels across holds.
;; tile-band.wasm is this file, put into bytes by `wat2wasm tile-band.wat` of wabt; a test compares them.
(module
  (memory (export "memory") 1)

  ;; The sum of sixteen bytes.
  (func $sum (param $bytes v128) (result i32)
    (local $sums v128)
    (local.set $sums (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $bytes))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
      (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))

  ;; One bit for each byte of a mask, the first byte's highest.
  (func $bits (param $mask v128) (result i32)
    (i8x16.bitmask
      (i8x16.shuffle 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 (local.get $mask) (local.get $mask))))

  ;; Pixels are bytes, 32 * $across of them a row; $words takes one word a tile and row. $counts takes 16-bit numbers:
  ;; for each tile the pixels darker than $paper, then for each those darker than $ink, then those of 64 to 191.
  (func (export "threshold")
    (param $pixels i32) (param $across i32) (param $rows i32) (param $ink i32) (param $paper i32)
    (param $words i32) (param $counts i32)
    (local $tile i32) (local $row i32) (local $from i32) (local $to i32) (local $count i32)
    (local $left v128) (local $right v128) (local $leftInk v128) (local $rightInk v128)
    (local $inkLevel v128) (local $paperLevel v128)
    (local $toned v128) (local $inked v128) (local $middle v128)
    (local.set $inkLevel (i8x16.splat (local.get $ink)))
    (local.set $paperLevel (i8x16.splat (local.get $paper)))
    (loop $tiles
      (local.set $from (i32.add (local.get $pixels) (i32.shl (local.get $tile) (i32.const 5))))
      (local.set $to (i32.add (local.get $words) (i32.shl (local.get $tile) (i32.const 2))))
      (local.set $row (local.get $rows))
      (local.set $toned (v128.const i64x2 0 0))
      (local.set $inked (v128.const i64x2 0 0))
      (local.set $middle (v128.const i64x2 0 0))
      (loop $down
        (local.set $left (v128.load (local.get $from)))
        (local.set $right (v128.load offset=16 (local.get $from)))
        (if (i8x16.all_true (i8x16.eq (v128.and (local.get $left) (local.get $right)) (v128.const i64x2 -1 -1)))
          (then (i32.store (local.get $to) (i32.const 0)))
          (else
            (local.set $leftInk (i8x16.lt_u (local.get $left) (local.get $inkLevel)))
            (local.set $rightInk (i8x16.lt_u (local.get $right) (local.get $inkLevel)))
            (i32.store (local.get $to)
              (i32.or
                (i32.shl (call $bits (local.get $leftInk)) (i32.const 16))
                (call $bits (local.get $rightInk))))
            ;; Bytes of a mask are 0 or -1: taking them away counts, and 16 rows of two are no more than a byte holds.
            (local.set $inked
              (i8x16.sub (i8x16.sub (local.get $inked) (local.get $leftInk)) (local.get $rightInk)))
            (local.set $toned
              (i8x16.sub
                (i8x16.sub (local.get $toned) (i8x16.lt_u (local.get $left) (local.get $paperLevel)))
                (i8x16.lt_u (local.get $right) (local.get $paperLevel))))
            (local.set $middle
              (i8x16.sub
                (i8x16.sub (local.get $middle)
                  (i8x16.ge_s (i8x16.sub (local.get $left) (v128.const i8x16 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64))
                    (v128.const i64x2 0 0)))
                (i8x16.ge_s (i8x16.sub (local.get $right) (v128.const i8x16 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64 64))
                  (v128.const i64x2 0 0))))))
        (local.set $from (i32.add (local.get $from) (i32.shl (local.get $across) (i32.const 5))))
        (local.set $to (i32.add (local.get $to) (i32.shl (local.get $across) (i32.const 2))))
        (br_if $down (local.tee $row (i32.sub (local.get $row) (i32.const 1)))))
      (local.set $count (i32.add (local.get $counts) (i32.shl (local.get $tile) (i32.const 1))))
      (i32.store16 (local.get $count) (call $sum (local.get $toned)))
      (local.set $count (i32.add (local.get $count) (i32.shl (local.get $across) (i32.const 1))))
      (i32.store16 (local.get $count) (call $sum (local.get $inked)))
      (local.set $count (i32.add (local.get $count) (i32.shl (local.get $across) (i32.const 1))))
      (i32.store16 (local.get $count) (call $sum (local.get $middle)))
      (br_if $tiles
        (i32.lt_u (local.tee $tile (i32.add (local.get $tile) (i32.const 1))) (local.get $across))))))
