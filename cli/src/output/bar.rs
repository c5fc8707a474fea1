/// A score of 0..=1 as a bar of a fixed width with its number: `████▌  0.91`.
pub fn bar(score: f32) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (score.clamp(0.0, 1.0) * (WIDTH * 8) as f32).round() as usize;
    let drawn = format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8]);
    format!("{drawn:WIDTH$} {score:.2}")
}

/// Columns of a full bar.
const WIDTH: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_with_the_score_and_keep_their_width() {
        assert_eq!(bar(0.0), "      0.00");
        assert_eq!(bar(0.9), "████▌ 0.90");
        assert_eq!(bar(1.0), "█████ 1.00");
        for hundredth in 0..=100u8 {
            assert_eq!(bar(f32::from(hundredth) / 100.0).chars().count(), 10);
        }
    }
}
